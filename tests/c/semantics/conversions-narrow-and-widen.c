//@ differential
// Every pair of integer widths.
#include <stdio.h>

static void show(long long x)
{
    printf("%d %d %d %d ", (signed char)x, (unsigned char)x, (short)x, (unsigned short)x);
    printf("%d %u %ld %lu\n", (int)x, (unsigned)x, (long)x, (unsigned long)x);
    printf("%d\n", (_Bool)x);
}

int main(void)
{
    show(0);
    show(-1);
    show(127);
    show(128);
    show(255);
    show(256);
    show(-129);
    show(32768);
    show(65537);
    show(0x7fffffff);
    show(0x80000000);
    show(0x100000000);
    show(0x7fffffffffffffff);
    show(-0x7fffffffffffffff - 1);
    return 0;
}
