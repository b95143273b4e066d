//@ engines: tvl; verdict: safe
// Insertion, search, counting and freeing, all recursive: each is analysed once per heap it is entered with.
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

static int count(struct tree *root) {
    return root ? 1 + count(root->left) + count(root->right) : 0;
}

static struct tree *search(struct tree *root, int key) {
    if (!root || root->key == key)
        return root;
    return key < root->key ? search(root->left, key) : search(root->right, key);
}

static struct tree *minimum(struct tree *root) {
    return root->left ? minimum(root->left) : root;
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
        root = insert(root, __VERIFIER_nondet_int());
    int n = count(root);
    struct tree *found = search(root, n);
    if (found)
        n += found->key;
    if (root)
        n += minimum(root)->key;
    free_tree(root);
    return n;
}
