//@ engines: tvl; verdict: safe
// The root is turned down and stays the root that the program knows: the node above it, and what hangs there, is still
// reached by its parent link.
#include <stdlib.h>
#include "heapwise.h"

extern int __VERIFIER_nondet_int(void);

struct tree {
    int key;
    struct tree *left, *right, *parent;
};

static struct tree *root;

static void insert(int key) {
    struct tree *n = malloc(sizeof *n), *p = NULL, *t = root;
    if (!n)
        abort();
    n->key = key;
    n->left = n->right = NULL;
    while (t) {
        p = t;
        t = key < t->key ? t->left : t->right;
    }
    n->parent = p;
    if (!p)
        root = n;
    else if (key < p->key)
        p->left = n;
    else
        p->right = n;
}

int main(void) {
    while (__VERIFIER_nondet_int())
        insert(__VERIFIER_nondet_int());
    if (root && root->right) {
        struct tree *x = root, *y = x->right;
        x->right = y->left;
        if (y->left)
            y->left->parent = x;
        y->left = x;
        x->parent = y;
    }
    hw_assert_tree_parent(root);
    return 0;
}
