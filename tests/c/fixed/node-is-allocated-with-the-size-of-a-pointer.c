//@ engines: explicit; verdict: safe
// sizeof of the pointer, not of what it points to.
#include <stdlib.h>

struct node {
    struct node *next;
    struct node *prev;
    int value;
};

static struct node *make(int value)
{
    struct node *node = malloc(sizeof(*node));
    if (!node)
        return NULL;
    node->next = node;
    node->prev = node;
    node->value = value;
    return node;
}

int main(void)
{
    struct node *ring = make(0);
    if (!ring)
        return 1;
    for (int i = 1; i < 3; i++) {
        struct node *node = make(i);
        if (!node)
            break;
        node->next = ring->next;
        node->prev = ring;
        ring->next->prev = node;
        ring->next = node;
    }
    ring->prev->next = NULL;
    while (ring) {
        struct node *next = ring->next;
        free(ring);
        ring = next;
    }
    return 0;
}
