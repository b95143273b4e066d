//@ engines: auto; verdict: safe
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

#include <stdbool.h>
static const bool debug = true;
static int process(char *x, int n) {
    if (!x)
        return 1;
    x[0] = 'a';
    printf("%s\n", x);
    free(x);
    return 0;
}

int main(void) {
    int n = debug ? 12 : 3;
    return process(calloc(n > 5 ? 8 : 4, 4), n);
}
