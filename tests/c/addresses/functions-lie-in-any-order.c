//@ engines: explicit, graph, tvl; verdict: unknown
// Whether one function lies below another is not known; that they differ is.
#include <assert.h>

static int f(void) { return 1; }
static int g(void) { return 2; }

int main(void)
{
    int (*p)(void) = f, (*q)(void) = g;
    if ((unsigned long)p > (unsigned long)q)
        assert(0); //~ may assert
    return p() + q() - 3;
}
