//@ differential
#include <stdio.h>

int main(void)
{
    int n = 0;
    do {
        if (n == 2)
            continue;
        printf("%d ", n);
    } while (++n < 5);
    for (;;) {
        if (n-- == 0)
            break;
        if (n & 1)
            continue;
        printf("<%d>", n);
    }
    printf("%d\n", n);
    for (unsigned i = 3; i-- > 0;)
        printf("%u ", i);
    do
        n++;
    while (n < 0);
    while (1) {
        while (n < 100) {
            n += 7;
            if (n % 5 == 0)
                break;
        }
        if (n > 50)
            break;
        n++;
    }
    printf("%d\n", n);
    for (int i = 0, step = 1; i < 100; i += step, step *= 2)
        printf("%d ", i);
    for (char c = 'a'; c <= 'e'; c += 2)
        putchar(c);
    putchar('\n');
    return 0;
}
