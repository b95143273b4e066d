//@ engines: auto; verdict: safe
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
    if (p <= 0)
        return 1;
    total = total % p;
    printf("%d\n", total);
    return 0;
}
