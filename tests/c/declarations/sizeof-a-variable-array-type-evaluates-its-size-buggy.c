//@ engines: explicit, graph, auto; verdict: unsafe
#include <stddef.h>

int main(void)
{
    int n = 2, x = 0;
    unsigned long size = sizeof(int[n++]);
    int *p = n == 3 ? NULL : &x;
    return *p + (size == 0);   //~ null-deref
}
