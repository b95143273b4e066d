//@ differential
#include <stdio.h>

int main(void)
{
    unsigned x = 0x00f0;
    int r;
    printf("%d %d %d\n", __builtin_popcount(x), __builtin_clz(x), __builtin_ctz(x));
    printf("%d %d\n", __builtin_popcountl(~0ul), __builtin_ffs(8));
    printf("%d ", __builtin_add_overflow(2147483647, 1, &r));
    printf("%d\n", r);
    printf("%d ", __builtin_mul_overflow(1000, 1000, &r));
    printf("%d\n", r);
    printf("%d\n", __builtin_expect(x == 0xf0, 1) ? 5 : 6);
    printf("%x %lx\n", __builtin_bswap32(0x11223344), __builtin_bswap64(0x1122334455667788));
    printf("%d %d\n", __builtin_constant_p(3), __builtin_types_compatible_p(int, int));
    printf("%d\n", __builtin_choose_expr(1, 7, "no"));
    printf("%d\n", __builtin_abs(-9));
    if (x)
        return 3;
    __builtin_unreachable();
}
