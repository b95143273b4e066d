//@ engines: auto; verdict: unsafe
#define _GNU_SOURCE
#include <stdio.h>
static const char digits[] = "0123456789abcdef";
int main(void) {
    int c;
    while ((c = getchar()) != EOF) {
        putchar(digits[c / 4]); //~ out-of-bounds
        putchar(digits[c & 15]);
    }
    return 0;
}
