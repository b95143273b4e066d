//@ engines: auto; verdict: unsafe
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const int amount = 12;
int main(void) {
    int n = amount;
    char *p = malloc(16);
    if (p == NULL)
        return 1;
    strcpy(p, "hello");
    if (n > 5) {
        puts("too many");
        return 2; //~ leak
    }
    puts(p);
    free(p);
    return 0;
}
