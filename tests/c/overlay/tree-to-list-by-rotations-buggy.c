//@ engines: overlay; verdict: unsafe
// A tree is freed without a stack: left children are turned up until there is none.

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *left, *right;
    int key;
};

static struct node *insert(struct node *root, int key)
{
    struct node *node = malloc(sizeof *node);
    if (!node)
        return root;
    node->left = node->right = NULL;
    node->key = key;
    if (!root)
        return node;
    struct node *at = root;
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

int main(void)
{
    struct node *root = NULL;
    while (__VERIFIER_nondet_int())
        root = insert(root, __VERIFIER_nondet_int());
    while (root) {
        if (root->left) {
            struct node *left = root->left;
            root->left = left->right;
            left->right = root;
            root = left;
        } else {
            free(root); //~ may leak
            root = root->right; //~ use-after-free
        }
    }
    return 0;
}
