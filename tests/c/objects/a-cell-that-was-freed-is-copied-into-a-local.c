//@ engines: explicit, graph, tvl, auto; verdict: unsafe
// The source must be alive.
#include <stdlib.h>

struct node {
    struct node *next;
    char name[4];
};

int main(void)
{
    struct node *node = calloc(1, sizeof *node);
    if (!node)
        return 0;
    free(node);
    struct node copy = *node; //~ use-after-free
    return copy.next != 0;
}
