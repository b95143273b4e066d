//@ engines: tvl; verdict: safe
/* Where to rotate next is read from links that the rotation before has set. */
#include <heapwise.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

struct tree {
    int key;
    struct tree *left;
    struct tree *right;
    struct tree *parent;
};

static struct tree *insert(struct tree *root, int key)
{
    struct tree *leaf = malloc(sizeof *leaf);
    if (leaf == NULL)
        abort();
    leaf->key = key;
    leaf->left = NULL;
    leaf->right = NULL;
    struct tree *above = NULL;
    struct tree *at = root;
    while (at != NULL) {
        above = at;
        at = key < at->key ? at->left : at->right;
    }
    leaf->parent = above;
    if (above == NULL)
        return leaf;
    if (key < above->key)
        above->left = leaf;
    else
        above->right = leaf;
    return root;
}

static struct tree *rotate_left(struct tree *root, struct tree *x)
{
    struct tree *y = x->right;
    x->right = y->left;
    if (y->left != NULL)
        y->left->parent = x;
    y->parent = x->parent;
    if (x->parent == NULL)
        root = y;
    else if (x == x->parent->left)
        x->parent->left = y;
    else
        x->parent->right = y;
    y->left = x;
    x->parent = y;
    return root;
}

static struct tree *rotate_right(struct tree *root, struct tree *x)
{
    struct tree *y = x->left;
    x->left = y->right;
    if (y->right != NULL)
        y->right->parent = x;
    y->parent = x->parent;
    if (x->parent == NULL)
        root = y;
    else if (x == x->parent->right)
        x->parent->right = y;
    else
        x->parent->left = y;
    y->right = x;
    x->parent = y;
    return root;
}

static void destroy(struct tree *tree)
{
    if (tree == NULL)
        return;
    destroy(tree->left);
    destroy(tree->right);
    free(tree);
}

int main(void)
{
    struct tree *root = NULL;
    while (__VERIFIER_nondet_int())
        root = insert(root, __VERIFIER_nondet_int());
    struct tree *node = root;
    while (node != NULL && node->left != NULL && __VERIFIER_nondet_int())
        node = node->left;
    if (node != NULL && node->left != NULL && node->left->right != NULL) {
        struct tree *below = node->left;
        root = rotate_left(root, below);
        root = rotate_right(root, below->parent->parent);
    }
    hw_assert_tree_parent(root);
    destroy(root);
    return 0;
}
