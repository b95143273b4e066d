//@ engines: auto; verdict: safe
#define _GNU_SOURCE
#include <stdlib.h>

static const int amount = 12;
static void make(int **out) {
    *out = calloc(3, sizeof(int));
}

int main(void) {
    int n = amount;
    int *x;
    make(&x);
    if (!x)
        return 1;
    if (n > 9) {
        free(x);
        return 3;
    }
    x[2] = n;
    free(x);
    return 0;
}
