//@ engines: tvl; verdict: safe
/* The leftmost node is unlinked, its child gets its parent. */
#include <heapwise.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

struct tree {
    int key;
    struct tree *left;
    struct tree *right;
    struct tree *parent;
};

static struct tree *leaf(int key, struct tree *parent)
{
    struct tree *tree = malloc(sizeof *tree);
    if (tree == NULL)
        abort();
    tree->key = key;
    tree->left = NULL;
    tree->right = NULL;
    tree->parent = parent;
    return tree;
}

static struct tree *insert(struct tree *root, int key)
{
    if (root == NULL)
        return leaf(key, NULL);
    struct tree *at = root;
    for (;;) {
        if (key < at->key) {
            if (at->left == NULL) {
                at->left = leaf(key, at);
                return root;
            }
            at = at->left;
        } else {
            if (at->right == NULL) {
                at->right = leaf(key, at);
                return root;
            }
            at = at->right;
        }
    }
}

/* Frees leaves, and goes up by the parent. */
static void destroy(struct tree *at)
{
    while (at != NULL) {
        if (at->left != NULL) {
            at = at->left;
        } else if (at->right != NULL) {
            at = at->right;
        } else {
            struct tree *parent = at->parent;
            if (parent != NULL) {
                if (parent->left == at)
                    parent->left = NULL;
                else
                    parent->right = NULL;
            }
            free(at);
            at = parent;
        }
    }
}

/* Takes the least key out. */
static struct tree *delete_least(struct tree *root)
{
    struct tree *least = root;
    while (least->left != NULL)
        least = least->left;
    struct tree *child = least->right;
    struct tree *parent = least->parent;
    if (child != NULL)
        child->parent = parent;
    if (parent == NULL)
        root = child;
    else
        parent->left = child;
    free(least);
    return root;
}

int main(void)
{
    struct tree *root = NULL;
    while (__VERIFIER_nondet_int())
        root = insert(root, __VERIFIER_nondet_int());
    if (root != NULL)
        root = delete_least(root);
    hw_assert_tree_parent(root);
    destroy(root);
    return 0;
}
