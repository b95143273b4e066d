//@ differential
#include <stdio.h>
#include <string.h>

enum { LIMIT = 200 };
static unsigned long bits[(LIMIT + 63) / 64];

static void set(unsigned i) { bits[i / 64] |= 1ul << i % 64; }
static int test(unsigned i) { return bits[i / 64] >> (i % 64) & 1; }

static int popcount(unsigned long w)
{
    int n = 0;
    for (; w; w &= w - 1)
        n++;
    return n;
}

int main(void)
{
    memset(bits, 0, sizeof bits);
    for (unsigned i = 2; i * i < LIMIT; i++)
        if (!test(i))
            for (unsigned j = i * i; j < LIMIT; j += i)
                set(j);
    int total = 0;
    for (unsigned i = 2; i < LIMIT; i++)
        if (!test(i))
            total += i;
    printf("%d\n", total);
    for (unsigned i = 0; i < sizeof bits / sizeof *bits; i++)
        printf("%lx %d\n", bits[i], popcount(bits[i]));
    return 0;
}
