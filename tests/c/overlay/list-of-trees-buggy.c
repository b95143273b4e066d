//@ engines: overlay; verdict: unsafe
// A forest: a list of binary trees.

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct tree {
    struct tree *left, *right;
    int key;
};

struct forest {
    struct tree *tree;
    struct forest *next;
};

static struct tree *insert(struct tree *tree, int key)
{
    if (!tree) {
        tree = calloc(1, sizeof *tree);
        if (!tree)
            abort();
        tree->key = key;
    } else if (key < tree->key)
        tree->left = insert(tree->left, key);
    else
        tree->right = insert(tree->right, key);
    return tree;
}

static void tree_free(struct tree *tree)
{
    if (tree) {
        tree_free(tree->left);
        tree_free(tree->right);
        free(tree);
    }
}

int main(void)
{
    struct forest *forest = NULL;
    while (__VERIFIER_nondet_int()) {
        struct forest *first = malloc(sizeof *first);
        if (!first)
            abort();
        first->tree = NULL;
        while (__VERIFIER_nondet_int())
            first->tree = insert(first->tree, __VERIFIER_nondet_int());
        first->next = forest;
        forest = first;
    }
    while (forest) {
        struct forest *next = forest->next;
        free(forest); //~ leak
        forest = next;
    }
    return 0;
}
