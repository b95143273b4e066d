//@ engines: tvl; verdict: safe
// The same function is entered with the address of a local, of a left link and of a right link.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct tree {
    struct tree *left, *right;
    int key;
};

static void insert(struct tree **place, int key) {
    if (!*place) {
        struct tree *leaf = malloc(sizeof *leaf);
        if (!leaf)
            return;
        leaf->left = leaf->right = NULL;
        leaf->key = key;
        *place = leaf;
    } else if (key < (*place)->key) {
        insert(&(*place)->left, key);
    } else {
        insert(&(*place)->right, key);
    }
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
        insert(&root, __VERIFIER_nondet_int());
    free_tree(root);
    return 0;
}
