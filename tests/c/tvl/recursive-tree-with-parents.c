//@ engines: tvl; verdict: safe
// No function reads the links to parents: a call gets a subtree, and its root leads back to what the caller keeps.
#include <heapwise.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct tree {
    struct tree *left, *right, *parent;
    int key;
};

static struct tree *insert(struct tree *root, struct tree *parent, int key) {
    if (!root) {
        struct tree *leaf = malloc(sizeof *leaf);
        if (!leaf)
            return NULL;
        leaf->left = leaf->right = NULL;
        leaf->parent = parent;
        leaf->key = key;
        return leaf;
    }
    if (key < root->key)
        root->left = insert(root->left, root, key);
    else
        root->right = insert(root->right, root, key);
    return root;
}

static int count(struct tree *root) {
    return root ? 1 + count(root->left) + count(root->right) : 0;
}

static void free_tree(struct tree *root) {
    if (!root)
        return;
    free_tree(root->left);
    free_tree(root->right);
    free(root);
}

int main(void) {
    struct tree *root = NULL;
    while (__VERIFIER_nondet_int())
        root = insert(root, NULL, __VERIFIER_nondet_int());
    int n = count(root);
    free_tree(root);
    return n;
}
