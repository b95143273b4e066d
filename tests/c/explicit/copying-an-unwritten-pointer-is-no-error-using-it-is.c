//@ engines: explicit; verdict: unsafe
#include <stdlib.h>

struct node {
    struct node *next;
    int value;
};

int main(void)
{
    struct node *node = malloc(sizeof *node);
    if (!node)
        return 1;
    struct node *next = node->next;
    struct node copy = *node;
    node->value = 1;
    if (next) //~ uninitialised
        next->value = copy.next == next;
    free(node);
    return 0;
}
