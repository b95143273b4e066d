//@ engines: tvl; verdict: unsafe
// The parent links stay null: such trees have too many shapes for an analysis that expects parents, and short runs show it.
#include "heapwise.h"
#include <stdlib.h>

struct tree {
    int key;
    struct tree *left, *right, *parent;
};

extern int __VERIFIER_nondet_int(void);

static struct tree *root;

static void insert(int key)
{
    struct tree *node = malloc(sizeof *node), *above = NULL, *at = root;
    if (!node)
        abort();
    node->key = key;
    node->left = node->right = node->parent = NULL;
    while (at) {
        above = at;
        at = key < at->key ? at->left : at->right;
    }
    if (!above)
        root = node;
    else if (key < above->key)
        above->left = node;
    else
        above->right = node;
}

int main(void)
{
    while (__VERIFIER_nondet_int())
        insert(__VERIFIER_nondet_int());
    hw_assert_tree_parent(root); //~ shape
    return 0;
}
