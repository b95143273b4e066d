//@ engines: explicit; verdict: safe
// Deleting from a binary search tree by the in-order successor, which exists only when there is a right subtree.
#include <stdlib.h>

extern _Bool __VERIFIER_nondet_bool(void);

struct tree {
    int key;
    struct tree *left, *right;
};

static void insert(struct tree **link, int key)
{
    while (*link)
        link = key < (*link)->key ? &(*link)->left : &(*link)->right;
    struct tree *node = calloc(1, sizeof *node);
    if (!node)
        return;
    node->key = key;
    *link = node;
}

static void delete_root(struct tree **root)
{
    struct tree *old = *root;
    if (!old)
        return;
    if (!old->left) {
        *root = old->right;
        free(old);
        return;
    }
    if (!old->right) {
        *root = old->left;
        free(old);
        return;
    }
    struct tree **link = &old->right;
    while ((*link)->left)
        link = &(*link)->left;
    struct tree *successor = *link;
    *link = successor->right;
    successor->left = old->left;
    successor->right = old->right;
    *root = successor;
    free(old);
}

int main(void)
{
    struct tree *root = NULL;
    insert(&root, 20);
    if (__VERIFIER_nondet_bool())
        insert(&root, 10);
    if (__VERIFIER_nondet_bool())
        insert(&root, 30);
    if (__VERIFIER_nondet_bool())
        insert(&root, 25);
    while (root)
        delete_root(&root);
    return 0;
}
