//@ engines: auto; verdict: unsafe
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

static void make(int **out) {
    *out = malloc(sizeof(int));
}

int main(int argc, char **argv) {
    int n = argc;
    int *x;
    make(&x);
    if (x == NULL)
        return 1;
    if (n < 10)
        *x = 1;
    if (*x == 1) //~ uninitialised
        puts("one");
    free(x);
    return 0;
}
