//@ engines: overlay; verdict: unsafe
// A ring of rings, without heads.

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct inner {
    struct inner *next;
};

struct outer {
    struct outer *next;
    struct inner *ring;
};

static struct inner *make_ring(void)
{
    struct inner *first = malloc(sizeof *first);
    if (!first)
        abort();
    first->next = first;
    while (__VERIFIER_nondet_int()) {
        struct inner *node = malloc(sizeof *node);
        if (!node)
            abort();
        node->next = first->next;
        first->next = node;
    }
    return first;
}

static void free_ring(struct inner *first)
{
    struct inner *node = first->next;
    while (node != first) {
        struct inner *next = node->next;
        free(node);
        node = next;
    }
    free(first);
}

int main(void)
{
    struct outer *ring = malloc(sizeof *ring);
    if (!ring)
        return 0;
    ring->ring = make_ring();
    ring->next = ring;
    while (__VERIFIER_nondet_int()) {
        struct outer *node = malloc(sizeof *node);
        if (!node)
            abort();
        node->ring = make_ring();
        node->next = ring->next;
        ring->next = node;
    }
    struct outer *node = ring->next;
    while (node != ring) {
        free_ring(node->ring);
        free(node); //~ may leak
        node = node->next; //~ use-after-free
    }
    free_ring(ring->ring);
    free(ring);
    return 0;
}
