//@ engines: auto; verdict: unsafe
#include <stdio.h>

int main(void) {
    unsigned a, b;
    if (scanf("%u %u", &a, &b) != 2) return 1;
    do {
        unsigned r = b;
        b = a % b; //~ division-by-zero
        a = r;
    } while (a != 0);
    printf("%u\n", a);
    return 0;
}
