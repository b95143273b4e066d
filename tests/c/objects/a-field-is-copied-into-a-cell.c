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
    int number = 3;
    node->next = 0;
    memcpy(&node->value, &number, sizeof number);
    int copy = node->value;
    free(node);
    if (copy)
        return 1;
    return 0;
}
