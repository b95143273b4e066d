//@ engines: explicit, graph, tvl, auto; verdict: unsafe
// The bounds of the source count too.
#include <string.h>

struct pair {
    int *first, *second;
};

int main(void)
{
    int *only = 0;
    struct pair pair = { 0, 0 };
    memcpy(&pair, &only, sizeof pair); //~ out-of-bounds
    return pair.first != 0;
}
