//@ engines: explicit, graph, tvl, auto; verdict: unsafe
// The field holds nothing afterwards.
#include <stdlib.h>
#include <string.h>

struct node {
    struct node *next;
    int value;
};

int main(void)
{
    struct node *node = calloc(1, sizeof *node);
    if (!node)
        return 0;
    int number;
    memcpy(&node->value, &number, sizeof number);
    int copy = node->value;
    free(node);
    if (copy) //~ uninitialised
        return 1;
    return 0;
}
