//@ engines: explicit; verdict: safe
// A circular list around a static sentinel: the loop that destroys it must stop before the sentinel.
#include <stdlib.h>

struct node {
    struct node *next;
    int value;
};

static struct node sentinel = { &sentinel, 0 };

static void insert(int value)
{
    struct node *node = malloc(sizeof *node);
    if (!node)
        return;
    node->value = value;
    node->next = sentinel.next;
    sentinel.next = node;
}

static void destroy(struct node *start)
{
    struct node *node = start;
    while (node != &sentinel) {
        struct node *next = node->next;
        free(node);
        node = next;
    }
}

int main(void)
{
    for (int i = 0; i < 2; i++)
        insert(i);
    destroy(sentinel.next);
    return 0;
}
