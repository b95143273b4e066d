//@ engines: overlay; verdict: safe
// Every node of a tree knows the record of the whole tree.

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct tree;

struct node {
    struct node *left, *right;
    struct tree *tree;
    int key;
};

struct tree {
    struct node *root;
    int n_nodes;
};

static void insert(struct tree *tree, int key)
{
    struct node **link = &tree->root;
    while (*link)
        link = key < (*link)->key ? &(*link)->left : &(*link)->right;
    struct node *node = malloc(sizeof *node);
    if (!node)
        return;
    node->left = node->right = NULL;
    node->tree = tree;
    node->key = key;
    *link = node;
    tree->n_nodes++;
}

static void free_nodes(struct node *node)
{
    if (!node)
        return;
    free_nodes(node->left);
    free_nodes(node->right);
    node->tree->n_nodes--;
    free(node);
}

int main(void)
{
    struct tree *tree = malloc(sizeof *tree);
    if (!tree)
        return 1;
    tree->root = NULL;
    tree->n_nodes = 0;
    while (__VERIFIER_nondet_int())
        insert(tree, __VERIFIER_nondet_int());
    free_nodes(tree->root);
    free(tree);
    return 0;
}
