//@ engines: auto; verdict: safe
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
struct options { unsigned verbose : 1, force : 1; int depth; };
int main(int argc, char **argv) {
    (void)argv;
    struct options *o = calloc(1, sizeof *o);
    if (!o)
        return 1;
    if (argc > 1)
        o->depth = argc;
    if (o->depth > 2)
        puts("deep");
    free(o);
    return 0;
}
