//@ engines: tvl; verdict: safe
#include <heapwise.h>
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

static struct tree *copy(struct tree *root) {
    if (!root)
        return NULL;
    struct tree *node = malloc(sizeof *node);
    if (!node)
        exit(1);
    node->key = root->key;
    node->left = copy(root->left);
    node->right = copy(root->right);
    return node;
}

static void mirror(struct tree *root) {
    if (!root)
        return;
    hw_assert_tree(root);
    mirror(root->left);
    mirror(root->right);
    struct tree *left = root->left;
    root->left = root->right;
    root->right = left;
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
    struct tree *other = copy(root);
    mirror(other);
    hw_assert_tree(root);
    hw_assert_tree(other);
    free_tree(root);
    free_tree(other);
    return 0;
}
