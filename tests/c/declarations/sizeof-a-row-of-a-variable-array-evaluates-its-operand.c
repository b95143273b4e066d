//@ engines: explicit, graph, tvl, overlay, region, auto; verdict: unknown
// The operand of sizeof is evaluated where its type is a variable-length array: `i` is 1, and the pointer null.
#include <stddef.h>

int main(void)
{
    int n = 2, i = 0, x = 0;
    int a[n][n];
    unsigned long size = sizeof(a[i++]);
    int *p = i ? NULL : &x;
    return *p + (size == 0);
}
