//@ engines: explicit, graph, tvl, auto; verdict: unsafe
// Addresses of the heap are used again.
#include <stdlib.h>

int main(void)
{
    int *first = malloc(sizeof *first);
    if (!first)
        return 0;
    free(first);
    int *second = malloc(sizeof *second);
    if (!second)
        return 0;
    if (first == second)
        *second = *(int *)0; //~ null-deref
    free(second);
    return 0;
}
