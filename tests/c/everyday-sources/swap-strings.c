//@ engines: auto; verdict: safe
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static void set(char **slot, const char *text) {
    free(*slot);
    *slot = strdup(text);
}
int main(int argc, char **argv) {
    char *a = NULL;
    set(&a, "first");
    if (argc > 1)
        set(&a, argv[1]);
    if (a)
        puts(a);
    free(a);
    return 0;
}
