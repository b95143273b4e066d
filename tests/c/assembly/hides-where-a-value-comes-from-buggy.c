//@ engines: explicit, graph, tvl, overlay, refine; verdict: unsafe
#include <stdlib.h>
int main(void)
{
    int *p = malloc(sizeof *p);
    if (!p)
        return 0;
    int *q;
    __asm__("" : "=r"(q) : "0"(p));
    __asm__ volatile("" : : : "memory");
    free(q);
    free(p); //~ double-free
    return 0;
}
