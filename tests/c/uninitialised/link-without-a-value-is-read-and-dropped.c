//@ engines: explicit, graph, tvl, overlay; verdict: safe
#include <stdlib.h>

struct node { struct node *next; };

int main(void)
{
    struct node *node = malloc(sizeof *node);
    if (!node)
        return 0;
    struct node *next = node->next;
    (void)node->next;
    (void)next;
    free(node);
    return 0;
}
