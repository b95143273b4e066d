//@ engines: auto; verdict: unsafe
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
    if (n < 6)
        free(x);
    return 0; //~ leak
}

int main(void) {
    int n = debug ? 12 : 3;
    return process(calloc(n > 5 ? 8 : 4, 4), n);
}
