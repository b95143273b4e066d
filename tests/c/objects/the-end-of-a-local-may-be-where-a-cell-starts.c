//@ engines: explicit, graph, tvl, auto; verdict: unsafe
// One past the end of a local, and a block of the heap.
#include <stdlib.h>

int main(void)
{
    int number = 0;
    int *end = &number + 1;
    int *block = malloc(sizeof *block);
    if (!block)
        return 0;
    if (end == block)
        number = *(int *)0; //~ null-deref
    free(block);
    return number;
}
