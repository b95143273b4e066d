//@ differential
#include <stdarg.h>
#include <stdio.h>

static long sum(int count, ...)
{
    va_list ap;
    va_start(ap, count);
    long total = 0;
    for (int i = 0; i < count; i++)
        total += va_arg(ap, int);
    va_end(ap);
    return total;
}

static unsigned long mixed(const char *spec, ...)
{
    unsigned long total = 0;
    va_list ap;
    va_start(ap, spec);
    for (; *spec; spec++) {
        switch (*spec) {
        case 'i': total += va_arg(ap, int); break;
        case 'u': total += va_arg(ap, unsigned); break;
        case 'l': total += va_arg(ap, long); break;
        case 'q': total += va_arg(ap, unsigned long long); break;
        case 'd': total += (unsigned long)va_arg(ap, double); break;
        case 's': total += va_arg(ap, char *)[0]; break;
        }
        total = total * 31 + 7;
    }
    va_end(ap);
    return total;
}

int main(void)
{
    short s = -4;
    char c = 'q';
    printf("%ld %ld %ld\n", sum(0), sum(3, 1, 2, 3), sum(9, 1, -2, 3, -4, 5, -6, 7, s, c));
    printf("%lu\n", mixed("iulqdsi", -1, 4000000000u, -5000000000l, 1ull << 63, 3.75, "xyz", 12));
    float f = 2.5f;
    printf("%lu\n", mixed("ddddddddddi", f, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10));
    return 0;
}
