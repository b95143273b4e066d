//@ engines: explicit, graph, tvl, auto; verdict: safe
#include <stdlib.h>
#include <string.h>

static int number;

int main(void)
{
    int *block = malloc(sizeof *block);
    if (!block)
        return 0;
    *block = 4;
    memcpy(&number, block, sizeof number);
    free(block);
    if (number)
        return 1;
    return 0;
}
