//@ engines: auto; verdict: unsafe
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
    }
    x[2] = n; //~ use-after-free
    if (n <= 9)
        free(x);
    return 0;
}
