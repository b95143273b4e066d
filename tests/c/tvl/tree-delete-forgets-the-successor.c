//@ engines: tvl; verdict: unsafe
// Deleting a node with two children moves the key of its successor up and unlinks the successor, which is never freed.
// Once cells are lost there is no end of shapes: the leak is shown by a run before the analysis goes on.
#include <stdlib.h>

struct tree {
    int key;
    struct tree *left, *right;
};

extern int __VERIFIER_nondet_int(void);

static struct tree *insert(struct tree *root, int key)
{
    struct tree *node = malloc(sizeof *node);
    if (!node)
        abort();
    node->key = key;
    node->left = node->right = NULL;
    if (!root)
        return node;
    struct tree *at = root;
    for (;;) {
        if (key < at->key) {
            if (!at->left) {
                at->left = node;
                return root;
            }
            at = at->left;
        } else {
            if (!at->right) {
                at->right = node;
                return root;
            }
            at = at->right;
        }
    }
}

static void remove_root(struct tree *root)
{
    struct tree *parent = root, *successor = root->right;
    while (successor->left) {
        parent = successor;
        successor = successor->left;
    }
    root->key = successor->key;
    if (parent == root)
        parent->right = successor->right;
    else
        parent->left = successor->right;
} //~ leak

static void destroy(struct tree *root)
{
    if (root) {
        destroy(root->left);
        destroy(root->right);
        free(root);
    }
}

int main(void)
{
    struct tree *root = NULL;
    while (__VERIFIER_nondet_int())
        root = insert(root, __VERIFIER_nondet_int());
    if (root && root->left && root->right)
        remove_root(root);
    destroy(root);
    return 0;
}
