//@ engines: explicit, auto; verdict: unsafe
//@ engines: graph, tvl; verdict: unknown
// The copy is smaller than the link.
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
    int one = 1;
    memcpy(node, &one, sizeof one);
    int bad = node->next != 0;
    free(node);
    if (bad)
        *(int *)0 = 1; //~ may null-deref
    return 0;
}
