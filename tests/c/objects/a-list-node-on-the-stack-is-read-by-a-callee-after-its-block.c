//@ engines: explicit, graph, tvl, auto; verdict: unsafe
// The address is found in a cell of the heap.
#include <stdlib.h>

struct node {
    struct node *next;
    int value;
};

static int second(struct node *node)
{
    return node->next->value; //~ use-after-free
}

int main(void)
{
    struct node *head = malloc(sizeof *head);
    if (!head)
        return 0;
    head->value = 1;
    {
        struct node inner = { NULL, 2 };
        head->next = &inner;
    }
    int value = second(head);
    free(head);
    return value;
}
