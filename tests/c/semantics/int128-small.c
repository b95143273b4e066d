//@ differential
#include <stdio.h>

int main(void)
{
    unsigned __int128 a = (unsigned __int128)0xffffffffffffffffull * 0xfedcba9876543210ull;
    printf("%llx %llx\n", (unsigned long long)(a >> 64), (unsigned long long)a);
    a += 1;
    a /= 1000000007;
    printf("%llx %llx\n", (unsigned long long)(a >> 64), (unsigned long long)a);
    __int128 s = -5;
    s *= 1ll << 62;
    printf("%lld %lld\n", (long long)(s >> 64), (long long)(s / (1ll << 60)));
    printf("%d %d\n", s < 0, (int)(s % 7));
    printf("%zu\n", sizeof a);
    return 0;
}
