//@ engines: explicit, graph, tvl, auto; verdict: unsafe
// The source must be alive.
#include <string.h>

struct pair {
    int *first, *second;
};

int main(void)
{
    struct pair *from;
    struct pair pair = { 0, 0 };
    {
        struct pair inner = { 0, 0 };
        from = &inner;
    }
    memcpy(&pair, from, sizeof pair); //~ use-after-free
    return pair.first != 0;
}
