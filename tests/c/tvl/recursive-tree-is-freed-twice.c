//@ engines: tvl; verdict: unsafe
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct tree {
    struct tree *left, *right;
    int key;
};

static struct tree *insert(struct tree *root, int key) {
    if (!root) {
        struct tree *leaf = malloc(sizeof *leaf);
        if (!leaf)
            return NULL;
        leaf->left = leaf->right = NULL;
        leaf->key = key;
        return leaf;
    }
    if (key < root->key)
        root->left = insert(root->left, key);
    else
        root->right = insert(root->right, key);
    return root;
}

static void free_tree(struct tree *root) {
    if (!root)
        return;
    free_tree(root->left); //~ use-after-free
    free_tree(root->right);
    free(root);
}

int main(void) {
    struct tree *root = insert(NULL, 1);
    free_tree(root);
    free_tree(root);
    return 0;
}
