//@ engines: auto; verdict: safe
#include <stdio.h>

int main(void) {
    unsigned a, b;
    if (scanf("%u %u", &a, &b) != 2) return 1;
    while (b != 0) {
        unsigned r = b;
        b = a % b;
        a = r;
    }
    printf("%u\n", a);
    return 0;
}
