//@ engines: explicit, auto; verdict: unsafe
//@ engines: graph, tvl; verdict: unknown
// The cell was all zeros before, and of the local only the link was written.
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
    struct node local;
    local.next = 0;
    *node = local;
    int copy = node->row[1];
    free(node);
    if (copy) //~ may uninitialised
        return 1;
    return 0;
}
