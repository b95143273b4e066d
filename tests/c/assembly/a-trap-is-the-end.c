//@ engines: explicit, graph, overlay, auto; verdict: unknown
#include <stdlib.h>

int main(void)
{
    int *p = malloc(sizeof *p);
    if (!p)
        return 0;
    free(p);
    __asm__ volatile("ud2");
    free(p);
    return 0;
}
