//@ engines: explicit, graph, tvl, auto; verdict: safe
#include <math.h>

static int *place;

int main(void)
{
    int exponent;
    place = &exponent;
    frexp(8.0, place);
    return *place > 0;
}
