//@ differential
#include <limits.h>
#include <stdint.h>
#include <stdio.h>

int main(void)
{
    unsigned u = UINT_MAX;
    printf("%u %u %u\n", u + 1, u * u, -u);
    unsigned long l = ULONG_MAX;
    printf("%lu %lu\n", l + 2, l * 3);
    uint8_t b = 250;
    for (int i = 0; i < 10; i++)
        b++;
    printf("%u\n", b);
    uint16_t h = 0;
    h -= 1;
    printf("%u %d\n", h, h == 0xffff);
    size_t s = 3;
    printf("%d %d\n", s - 4 > 0, (int)(s - 4) < 0);
    unsigned x = 5, y = 7;
    printf("%u %d %d\n", x - y, (int)(x - y), x - y > 0);
    printf("%d %d %d\n", INT_MIN == -INT_MAX - 1, CHAR_MIN, SHRT_MAX);
    long mixed = (int)u;
    mixed += u;
    printf("%ld\n", mixed);
    return 0;
}
