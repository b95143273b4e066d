//@ engines: tvl; verdict: safe
/* The leftmost node is unlinked and freed. */
#include <heapwise.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

struct tree {
    int key;
    struct tree *left;
    struct tree *right;
};

static struct tree *leaf(int key)
{
    struct tree *tree = malloc(sizeof *tree);
    if (tree == NULL)
        abort();
    tree->key = key;
    tree->left = NULL;
    tree->right = NULL;
    return tree;
}

static struct tree *insert(struct tree *root, int key)
{
    if (root == NULL)
        return leaf(key);
    struct tree *at = root;
    for (;;) {
        if (key < at->key) {
            if (at->left == NULL) {
                at->left = leaf(key);
                return root;
            }
            at = at->left;
        } else {
            if (at->right == NULL) {
                at->right = leaf(key);
                return root;
            }
            at = at->right;
        }
    }
}

/* Turns left children up until there is none, and frees the root. */
static void destroy(struct tree *root)
{
    while (root != NULL) {
        struct tree *left = root->left;
        if (left != NULL) {
            root->left = left->right;
            left->right = root;
            root = left;
        } else {
            struct tree *right = root->right;
            free(root);
            root = right;
        }
    }
}

/* Takes the least key out. */
static struct tree *delete_least(struct tree *root)
{
    struct tree *above = NULL;
    struct tree *least = root;
    while (least->left != NULL) {
        above = least;
        least = least->left;
    }
    if (above == NULL)
        root = least->right;
    else
        above->left = least->right;
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
    hw_assert_tree(root);
    destroy(root);
    return 0;
}
