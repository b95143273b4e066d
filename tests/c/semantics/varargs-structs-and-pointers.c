//@ differential
#include <stdarg.h>
#include <stdio.h>

struct pair { int a, b; };
struct big { long v[4]; };
struct mix { double d; int i; };

static long collect(int n, ...)
{
    va_list ap;
    long total = 0;
    va_start(ap, n);
    for (int i = 0; i < n; i++) {
        struct pair p = va_arg(ap, struct pair);
        struct big b = va_arg(ap, struct big);
        int *q = va_arg(ap, int *);
        struct mix m = va_arg(ap, struct mix);
        total = total * 10 + p.a - p.b + b.v[0] + b.v[3] + *q + (long)m.d + m.i;
        ++*q;
    }
    va_end(ap);
    return total;
}

int main(void)
{
    int counter = 5;
    struct pair p = { 9, 4 };
    struct big b = { { 1, 2, 3, 4 } };
    struct mix m = { 6.5, 70 };
    printf("%ld\n", collect(2, p, b, &counter, m, (struct pair){ 1, 1 }, b, &counter, m));
    printf("%d\n", counter);
    return 0;
}
