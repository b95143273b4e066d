//@ differential
#include <stdint.h>
#include <stdio.h>

enum { WORDS = 6 };

static void multiply(uint32_t n[WORDS], uint32_t by)
{
    uint64_t carry = 0;
    for (int i = 0; i < WORDS; i++) {
        carry += (uint64_t)n[i] * by;
        n[i] = (uint32_t)carry;
        carry >>= 32;
    }
}

static uint32_t divide(uint32_t n[WORDS], uint32_t by)
{
    uint64_t rest = 0;
    for (int i = WORDS; i-- > 0;) {
        rest = rest << 32 | n[i];
        n[i] = rest / by;
        rest %= by;
    }
    return rest;
}

int main(void)
{
    uint32_t n[WORDS] = { 1 };
    for (uint32_t i = 2; i <= 30; i++)
        multiply(n, i);
    char digits[64], *p = digits + 63;
    *p = 0;
    for (int i = 0; i < 33; i++)
        *--p = '0' + divide(n, 10);
    printf("%s\n", p);
    return 0;
}
