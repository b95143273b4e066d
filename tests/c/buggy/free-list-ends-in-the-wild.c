//@ engines: explicit; verdict: unsafe
// A free list threaded through a block of nodes; the last link is never written.
#include <stdlib.h>

enum { COUNT = 3 };

struct node {
    struct node *next;
    int value;
};

static struct node *thread(struct node *nodes)
{
    for (int i = 0; i + 1 < COUNT; i++)
        nodes[i].next = &nodes[i + 1];
    return nodes;
}

int main(void)
{
    struct node *block = malloc(COUNT * sizeof *block);
    if (!block)
        return 1;
    struct node *available = thread(block);
    struct node *used = NULL;
    while (available) { //~ uninitialised
        struct node *node = available;
        available = node->next;
        node->value = 1;
        node->next = used;
        used = node;
    }
    free(block);
    return 0;
}
