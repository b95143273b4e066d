//@ engines: explicit, tvl, graph, auto; verdict: unsafe
// Static storage holds a value only until something else is copied there.
#include <stdlib.h>
#include <string.h>

static int number;

int main(void)
{
    int *block = malloc(sizeof *block);
    if (!block)
        return 0;
    memcpy(&number, block, sizeof number);
    free(block);
    if (number) //~ uninitialised
        return 1;
    return 0;
}
