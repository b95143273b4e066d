//@ engines: auto; verdict: unsafe
#define _GNU_SOURCE
#include <stdio.h>

int main(void) {
    int n = 0;
    for (int i = 0; i < 4; i++)
        n = 3 - i;
    int x = n;
    int total = 340;
    total = total % x; //~ division-by-zero
    printf("%d\n", total);
    return 0;
}
