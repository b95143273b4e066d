//@ engines: tvl; verdict: safe
// A recursive walk works on a global that its caller's arguments do not reach.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct tree {
    struct tree *left, *right;
    int key;
};

struct node {
    struct node *next;
    int data;
};

static struct node *keys;

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

static void collect(struct tree *root) {
    if (!root)
        return;
    collect(root->right);
    struct node *node = malloc(sizeof *node);
    if (node) {
        node->data = root->key;
        node->next = keys;
        keys = node;
    }
    collect(root->left);
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
    collect(root);
    free_tree(root);
    while (keys) {
        struct node *next = keys->next;
        free(keys);
        keys = next;
    }
    return 0;
}
