//@ engines: explicit; verdict: safe
#include <assert.h>

static int f(void) { return 1; }
static int g(void) { return 2; }

int main(void)
{
    int (*p)(void) = f, (*q)(void) = g;
    assert(p != q);
    assert(p == f);
    return p() + q() - 3;
}
