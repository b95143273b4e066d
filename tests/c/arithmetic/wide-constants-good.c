//@ engines: explicit, auto; verdict: safe
#include <assert.h>

typedef unsigned __int128 wide;

static wide half = (wide)-1 / 2;
static wide table[2] = {(wide)1 << 127, ~(wide)0 >> 64};

int main(void)
{
    wide a = (wide)-1 >> 64, b = ~(wide)0;
    assert(a == 0xffffffffffffffffull);
    assert(half == b >> 1);
    assert(table[0] > half && table[1] == a);
    assert((wide)-1 > 5 && !((wide)-1 < 5));
    assert((wide)-1 / 3 > (wide)1 << 126 && (wide)-1 % 10 == 5);
    double d = (wide)-1;
    float f = ~(wide)0;
    assert(d > 1e38 && f > 1e38f);
    return 0;
}
