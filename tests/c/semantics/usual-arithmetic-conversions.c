//@ differential
// Mixing signed and unsigned operands of different ranks.
#include <stdio.h>

int main(void)
{
    int i = -1;
    unsigned u = 1;
    long l = -1;
    unsigned long ul = 1;
    printf("%d %d %d %d\n", i < u, l < u, l < ul, i < l + 1);
    printf("%u %ld %lu\n", i + u, l + u, l + ul);
    printf("%u %ld\n", i / 2 + u, (long)i * u);
    printf("%lu\n", (unsigned long)i);
    printf("%ld\n", (long)(unsigned)i);
    printf("%d\n", (int)(i * ul >> 32));
    long long ll = (long long)i << 0;
    ll += u;
    printf("%lld %d\n", ll, -1 > 1u);
    return (i + u) != 0;
}
