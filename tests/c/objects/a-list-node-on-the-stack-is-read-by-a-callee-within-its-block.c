//@ engines: explicit, graph, tvl, auto; verdict: safe
#include <stdlib.h>

struct node {
    struct node *next;
    int value;
};

static int second(struct node *node)
{
    return node->next->value;
}

int main(void)
{
    struct node *head = malloc(sizeof *head);
    if (!head)
        return 0;
    head->value = 1;
    int value;
    {
        struct node inner = { NULL, 2 };
        head->next = &inner;
        value = second(head);
    }
    free(head);
    return value;
}
