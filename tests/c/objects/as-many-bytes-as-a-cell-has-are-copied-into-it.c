//@ engines: explicit, graph, tvl, auto; verdict: safe
#include <stdlib.h>
#include <string.h>

struct node {
    struct node *next;
    long value;
};
struct wide {
    struct node node;
    long more;
};

int main(void)
{
    struct wide wide = { { 0, 1 }, 2 };
    struct node *node = malloc(sizeof *node);
    if (!node)
        return 0;
    memcpy(node, &wide.node, sizeof *node);
    if (node->next)
        *(int *)0 = 1;
    long value = node->value;
    free(node);
    return value != 1;
}
