//@ engines: explicit, graph, tvl, auto; verdict: unsafe
// A function of the library writes through the address.
#include <math.h>

static int *place;

static void choose(void)
{
    int exponent = 0;
    place = &exponent;
}

int main(void)
{
    choose();
    frexp(8.0, place); //~ use-after-free
    return 0;
}
