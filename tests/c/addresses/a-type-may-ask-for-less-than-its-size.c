//@ engines: explicit, graph, auto; verdict: unsafe
#include <stddef.h>
#include <stdint.h>

typedef int loose __attribute__((aligned(1)));

int main(void)
{
    static loose c;
    int n = 2;
    int *p = NULL;
    if ((uintptr_t)&c % 4 == 0)
        p = &n;
    return *p;   //~ null-deref
}
