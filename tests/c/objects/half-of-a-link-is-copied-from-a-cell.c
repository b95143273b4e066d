//@ engines: explicit, auto; verdict: unsafe
//@ engines: graph, tvl; verdict: unknown
// The pointer keeps its other half.
#include <stdlib.h>
#include <string.h>

struct node {
    struct node *next;
    int value;
};

int main(void)
{
    struct node *node = malloc(sizeof *node);
    if (!node)
        return 0;
    node->next = node;
    node->value = 1;
    struct node *copy = 0;
    memcpy(&copy, node, 4);
    if (copy != 0 && copy != node)
        *(int *)0 = 1; //~ may null-deref
    free(node);
    return 0;
}
