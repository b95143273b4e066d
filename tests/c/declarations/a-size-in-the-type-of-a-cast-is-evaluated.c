//@ engines: explicit, graph, auto; verdict: unknown
// The size in the type of a cast is evaluated: `n` is 3, and the pointer null.
#include <stddef.h>

int main(void)
{
    int n = 2, x = 0;
    int a[2] = {0};
    void *q = (int (*)[n++])a;
    int *p = n == 3 ? NULL : &x;
    return *p + (q == NULL);
}
