//@ engines: overlay; verdict: unsafe
// Each node of a binary tree has a ring.

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct ring {
    struct ring *next, *prev;
};

struct tree {
    struct tree *left, *right;
    struct ring *ring;
};

static struct ring *ring_new(void)
{
    struct ring *ring = malloc(sizeof *ring);
    if (!ring)
        abort();
    ring->next = ring;
    ring->prev = ring;
    return ring;
}

static void ring_grow(struct ring *ring)
{
    struct ring *node = malloc(sizeof *node);
    if (!node)
        abort();
    node->next = ring->next;
    node->prev = ring;
    ring->next->prev = node;
    ring->next = node;
}

static void ring_free(struct ring *ring)
{
    struct ring *at = ring->next;
    while (at != ring) {
        struct ring *next = at->next;
        free(at);
        at = next;
    }
    free(ring);
}

static struct tree *build(void)
{
    if (!__VERIFIER_nondet_int())
        return NULL;
    struct tree *tree = malloc(sizeof *tree);
    if (!tree)
        abort();
    tree->ring = ring_new();
    while (__VERIFIER_nondet_int())
        ring_grow(tree->ring);
    tree->left = build();
    tree->right = build();
    return tree;
}

static void destroy(struct tree *tree)
{
    if (!tree)
        return;
    destroy(tree->left);
    destroy(tree->right);
    ring_free(tree->ring);
    free(tree->ring); //~ double-free
    free(tree);
}

int main(void)
{
    destroy(build());
    return 0;
}
