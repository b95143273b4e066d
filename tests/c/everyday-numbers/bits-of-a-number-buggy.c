//@ engines: auto; verdict: unsafe
#include <stdio.h>

int main(void) {
    unsigned x;
    char digits[33];
    int n = 0;
    if (scanf("%u", &x) != 1) return 1;
    do {
        digits[n] = '0' + (x & 1); //~ out-of-bounds
        x >>= 1; n += 2;
    } while (x);
    while (n-- > 0)
        putchar(digits[n]); //~ uninitialised //~ may out-of-bounds
    return 0;
}
