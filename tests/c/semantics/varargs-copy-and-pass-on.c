//@ differential
#include <stdarg.h>
#include <stdio.h>

static int vsum(int n, va_list ap)
{
    int total = 0;
    while (n-- > 0)
        total += va_arg(ap, int);
    return total;
}

static int twice(int n, ...)
{
    va_list first, second;
    va_start(first, n);
    va_copy(second, first);
    int skipped = va_arg(second, int);
    int a = vsum(n, first);
    int b = vsum(n - 1, second);
    va_end(second);
    va_end(first);
    return a * 1000 + b + skipped;
}

static int advance(va_list *ap)
{
    return va_arg(*ap, int);
}

static int by_pointer(int n, ...)
{
    va_list ap;
    va_start(ap, n);
    int a = advance(&ap), b = advance(&ap);
    int c = va_arg(ap, int);
    va_end(ap);
    return a * 100 + b * 10 + c;
}

static int apply(int (*f)(int, ...), int n)
{
    return f(n, 4, 5, 6, 7);
}

int main(void)
{
    printf("%d %d\n", twice(4, 1, 2, 3, 4), by_pointer(3, 7, 8, 9));
    printf("%d %d\n", apply(twice, 4), apply(by_pointer, 3));
    return 0;
}
