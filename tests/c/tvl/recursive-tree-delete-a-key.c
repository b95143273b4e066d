//@ engines: tvl; verdict: safe
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

static struct tree *delete_key(struct tree *root, int key) {
    if (!root)
        return NULL;
    if (key < root->key) {
        root->left = delete_key(root->left, key);
    } else if (key > root->key) {
        root->right = delete_key(root->right, key);
    } else if (!root->left || !root->right) {
        struct tree *child = root->left ? root->left : root->right;
        free(root);
        return child;
    } else {
        struct tree *least = root->right;
        while (least->left)
            least = least->left;
        root->key = least->key;
        root->right = delete_key(root->right, least->key);
    }
    return root;
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
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int())
            root = insert(root, __VERIFIER_nondet_int());
        else
            root = delete_key(root, __VERIFIER_nondet_int());
    }
    free_tree(root);
    return 0;
}
