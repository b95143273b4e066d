//@ engines: tvl; verdict: unsafe
// The child is freed first, and then asked for its parent.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct tree {
    struct tree *left, *right, *parent;
};

static struct tree *grow(struct tree *parent) {
    struct tree *node = malloc(sizeof *node);
    if (!node)
        return NULL;
    node->parent = parent;
    node->left = node->right = NULL;
    if (__VERIFIER_nondet_int())
        node->left = grow(node);
    if (__VERIFIER_nondet_int())
        node->right = grow(node);
    return node;
}

static void free_tree(struct tree *root) {
    if (!root)
        return;
    free_tree(root->left);
    free_tree(root->right);
    free(root);
}

int main(void) {
    struct tree *root = grow(NULL);
    if (!root)
        return 0;
    struct tree *child = root->left;
    free_tree(child);
    root->left = NULL;
    if (child && child->parent != root) //~ use-after-free
        abort();
    free_tree(root);
    return 0;
}
