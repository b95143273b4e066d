//@ engines: explicit, graph, auto; verdict: unsafe
#include <stddef.h>
#include <stdint.h>

int main(void)
{
    static _Alignas(32) char c[3];
    int n = 2;
    int *p = NULL;
    if ((uintptr_t)c % 64 == 0)
        p = &n;
    return *p;   //~ null-deref
}
