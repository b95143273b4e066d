//@ engines: tvl; verdict: unsafe
/* The node before the deleted one still leads to it. */
#include <heapwise.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

struct node {
    int value;
    struct node *next;
};

/* The ring is known by its last node. */
static struct node *insert(struct node *last, int value)
{
    struct node *node = malloc(sizeof *node);
    if (node == NULL)
        return last;
    node->value = value;
    if (last == NULL) {
        node->next = node;
    } else {
        node->next = last->next;
        last->next = node;
    }
    return node;
}

static struct node *delete_first(struct node *last)
{
    struct node *first = last->next;
    if (first == last) {
        free(first);
        return NULL;
    }
    free(first); //~ leak
    return last;
}

int main(void)
{
    struct node *ring = NULL;
    while (__VERIFIER_nondet_int())
        ring = insert(ring, __VERIFIER_nondet_int());
    if (ring != NULL)
        hw_assert_cyclic(ring);
    if (ring != NULL) {
        ring = delete_first(ring);
        if (ring != NULL)
            hw_assert_cyclic(ring); //~ shape
    }
    while (ring != NULL)
        ring = delete_first(ring);
    return 0;
}
