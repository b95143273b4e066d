//@ differential
#include <stdio.h>

static unsigned long long power(unsigned long long base, unsigned exponent, unsigned long long modulus)
{
    unsigned long long result = 1;
    while (exponent) {
        if (exponent & 1)
            result = result * base % modulus;
        base = base * base % modulus;
        exponent >>= 1;
    }
    return result;
}

int main(void)
{
    long long a = 1LL << 40;
    unsigned long long u = 0xffffffffffffffffULL;
    printf("%lld %lld %llx\n", a * 3, -a / 7, u - 1);
    printf("%llu %d\n", u % 1000000007, u > (unsigned long long)a);
    printf("%llu\n", power(3, 1000, 1000000007));
    long long fib[60] = { 0, 1 };
    for (int i = 2; i < 60; i++)
        fib[i] = fib[i - 1] + fib[i - 2];
    printf("%lld %lld\n", fib[50], fib[59]);
    unsigned long long h = 14695981039346656037ULL;
    for (const char *p = "fnv hash"; *p; p++)
        h = (h ^ (unsigned char)*p) * 1099511628211ULL;
    printf("%llx\n", h);
    int i = -5;
    u = i;
    a = (unsigned)i;
    printf("%llu %lld\n", u, a);
    return 0;
}
