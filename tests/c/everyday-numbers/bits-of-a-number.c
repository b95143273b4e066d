//@ engines: auto; verdict: safe
#include <stdio.h>

int main(void) {
    unsigned x;
    char digits[33];
    int n = 0;
    if (scanf("%u", &x) != 1) return 1;
    do {
        digits[n++] = '0' + (x & 1);
        x >>= 1;
    } while (x && n < 32);
    while (n-- > 0)
        putchar(digits[n]);
    return 0;
}
