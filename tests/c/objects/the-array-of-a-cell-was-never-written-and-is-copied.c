//@ engines: explicit, auto; verdict: unsafe
//@ engines: graph, tvl; verdict: unknown
// The array of the copy holds nothing either.
#include <stdlib.h>

struct node {
    struct node *next;
    char name[4];
};

int main(void)
{
    struct node *node = malloc(sizeof *node);
    if (!node)
        return 0;
    node->next = 0;
    struct node copy = *node;
    free(node);
    if (copy.name[2]) //~ may uninitialised
        return 1;
    return 0;
}
