//@ differential
// Truncation towards zero, for all signs and widths.
#include <stdio.h>

int main(void)
{
    int a[] = { 7, -7, 2147483647, -2147483647 };
    int b[] = { 2, -2, 3, -3, 1, -1 };
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 6; j++)
            printf("%d/%d=%d,%d ", a[i], b[j], a[i] / b[j], a[i] % b[j]);
    unsigned u = 4000000000u;
    printf("\n%u %u %u\n", u / 7, u % 7, u / 4000000000u);
    long long big = -9000000000000000000;
    printf("%lld %lld\n", big / 1000000007, big % 1000000007);
    unsigned long long ub = 18000000000000000000u;
    printf("%llu %llu\n", ub / 3, ub % 1000);
    short s = -32768;
    printf("%d %d\n", s / -1, s % 7);
    return 0;
}
