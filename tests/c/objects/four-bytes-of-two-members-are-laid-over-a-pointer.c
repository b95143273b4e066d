//@ engines: explicit, graph, tvl, auto; verdict: unsafe
// The target's bytes come from several scalars of the source.
#include <string.h>

struct halves {
    int low, high;
};

int main(void)
{
    struct halves halves = { 16, 0 };
    int *pointer = 0;
    memcpy(&pointer, &halves, sizeof pointer);
    if (pointer)
        *(int *)0 = 1; //~ null-deref
    return 0;
}
