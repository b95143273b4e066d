//@ engines: explicit, graph, tvl, auto; verdict: unsafe
// The link holds what its bytes say.
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
    node->value = 0;
    node->next = node;
    long zero = 0;
    memcpy(&node->next, &zero, sizeof zero);
    if (!node->next)
        node->value = *(int *)0; //~ null-deref
    free(node);
    return 0;
}
