//@ engines: explicit, graph, tvl, auto; verdict: safe
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
    node->row[1] = 2;
    int copy = node->row[0] + node->row[1];
    free(node);
    if (copy == 3)
        return 1;
    return 0;
}
