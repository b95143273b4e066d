//@ engines: tvl; verdict: unsafe
/* The ring whose nodes have gone still leads to them. */
#include <heapwise.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

struct node {
    int value;
    struct node *next;
    struct node *prev;
};

static void insert_before(struct node *at, int value)
{
    struct node *node = malloc(sizeof *node);
    if (node == NULL)
        abort();
    node->value = value;
    node->next = at;
    node->prev = at->prev;
    at->prev->next = node;
    at->prev = node;
}

static void splice(struct node *at, struct node *ring)
{
    if (ring->next == ring)
        return;
    ring->next->prev = at->prev;
    at->prev->next = ring->next;
    ring->prev->next = at;
    at->prev = ring->prev;
}

static void clear(struct node *ring)
{
    struct node *at = ring->next;
    while (at != ring) {
        struct node *next = at->next;
        free(at);
        at = next;
    }
}

int main(void)
{
    struct node one, other;
    one.next = one.prev = &one;
    other.next = other.prev = &other;
    while (__VERIFIER_nondet_int())
        insert_before(&one, 1);
    while (__VERIFIER_nondet_int())
        insert_before(&other, 2);
    hw_assert_disjoint(&one, &other);
    splice(&one, &other);
    hw_assert_disjoint(&one, &other); //~ shape
    clear(&one);
    return 0;
}
