//@ differential
#include <stdio.h>

int main(void)
{
    int n = -64;
    unsigned u = 0xdeadbeef;
    unsigned long w = 0x0123456789abcdef;
    printf("%d %d %d\n", n >> 3, n >> 31, 1 << 30);
    printf("%x %x %x\n", u >> 4, u << 8, (u >> 28) | (u << 4));
    printf("%lx %lx\n", w >> 36, w << 20);
    unsigned char c = 0x81;
    printf("%d %d %d\n", c << 1, (unsigned char)(c << 1), c >> 7);
    signed char s = -128;
    printf("%d %d\n", s >> 2, (unsigned char)s >> 2);
    for (int i = 0; i < 64; i += 13)
        printf("%lx ", 1ul << i);
    u ^= u >> 16;
    u *= 0x85ebca6b;
    u ^= u >> 13;
    printf("%x %x\n", u, u & -u);
    n <<= 2;
    n >>= 1;
    n |= 5;
    n &= ~1;
    n ^= 0xff;
    printf("%d\n", n);
    return 0;
}
