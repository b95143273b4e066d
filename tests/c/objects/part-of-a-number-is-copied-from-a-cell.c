//@ engines: explicit, graph, tvl, auto; verdict: unsafe
// Two bytes of a field change a local.
#include <stdlib.h>
#include <string.h>

struct node {
    int value;
    struct node *next;
};

int main(void)
{
    struct node *node = calloc(1, sizeof *node);
    if (!node)
        return 0;
    int number = 2;
    memcpy(&number, node, 2);
    free(node);
    if (number == 0)
        *(int *)0 = 1; //~ null-deref
    return 0;
}
