//@ engines: auto; verdict: unsafe
#define _GNU_SOURCE
#include <stdio.h>

static void make(int *out, int n) {
    *out = n;
}

int main(void) {
    int n = 0;
    int p = 0;
    make(&p, n);
    int total = 340;
    total = total % p; //~ division-by-zero
    printf("%d\n", total);
    return 0;
}
