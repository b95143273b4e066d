//@ engines: explicit, graph, tvl, auto; verdict: unsafe
// A record is copied by value from a local that is gone when the call starts.
#include <stddef.h>

struct point {
    int x, y;
    struct point *next;
};

static int sum(struct point point)
{
    return point.x + point.y;
}

int main(void)
{
    struct point *last;
    {
        struct point inner = { 1, 2, NULL };
        last = &inner;
    }
    return sum(*last); //~ use-after-free
}
