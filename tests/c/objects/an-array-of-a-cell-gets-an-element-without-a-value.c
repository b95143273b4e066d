//@ engines: explicit, auto; verdict: unsafe
//@ engines: graph, tvl; verdict: unknown
// The cell was all zeros before.
#include <stdlib.h>

struct node {
    struct node *next;
    int row[2];
};

int main(void)
{
    struct node *node = calloc(1, sizeof *node);
    if (!node)
        return 0;
    int number;
    node->row[0] = number;
    int copy = node->row[0];
    free(node);
    if (copy) //~ may uninitialised
        return 1;
    return 0;
}
