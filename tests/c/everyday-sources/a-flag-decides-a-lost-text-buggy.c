//@ engines: auto; verdict: unsafe
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int verbose = 1;
int main(void) {
    const char *text = "short";
    if (verbose)
        text = "a text that is rather long";
    const char *x = text;
    char *copy = strdup(x);
    if (copy == NULL)
        return 1;
    if (strlen(copy) > 8) {
        return 2; //~ leak
    }
    puts(copy);
    free(copy);
    return 0;
}
