//@ engines: auto; verdict: safe
#define _GNU_SOURCE
#include <stdio.h>

int main(void) {
    int n = 0;
    for (int i = 0; i < 4; i++)
        n = 3 - i;
    int x = n;
    int total = 340;
    if (x <= 0)
        return 1;
    total = total % x;
    printf("%d\n", total);
    return 0;
}
