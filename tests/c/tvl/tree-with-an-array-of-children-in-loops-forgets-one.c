//@ engines: tvl; verdict: unsafe
/* The first child is forgotten. */
#include <heapwise.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

struct tree {
    struct tree *child[2];
    int key;
};

static struct tree *leaf(int key)
{
    struct tree *tree = malloc(sizeof *tree);
    if (tree == NULL)
        abort();
    tree->key = key;
    for (int i = 0; i < 2; i++)
        tree->child[i] = NULL;
    return tree;
}

static struct tree *insert(struct tree *tree, int key)
{
    if (tree == NULL)
        return leaf(key);
    int side = tree->key < key;
    tree->child[side] = insert(tree->child[side], key);
    return tree;
}

static void destroy(struct tree *tree)
{
    if (tree == NULL)
        return;
    for (int i = 1; i > 0; i--)
        destroy(tree->child[i]);
    free(tree); //~ leak
}

int main(void)
{
    struct tree *root = NULL;
    while (__VERIFIER_nondet_int())
        root = insert(root, __VERIFIER_nondet_int());
    hw_assert_tree_by(root, child[0], child[1]);
    destroy(root);
    return 0;
}
