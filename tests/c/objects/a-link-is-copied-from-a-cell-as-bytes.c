//@ engines: explicit, graph, tvl, auto; verdict: safe
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
    memcpy(&copy, node, sizeof copy);
    if (copy != node)
        *(int *)0 = 1;
    free(copy);
    return 0;
}
