//@ engines: tvl; verdict: unsafe
// A node of the tree that stays has one for its parent that is freed.
#include <heapwise.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    int key;
    struct node *left, *right, *parent;
};

static struct node *new_node(int key, struct node *parent) {
    struct node *n = malloc(sizeof *n);
    if (!n)
        exit(1);
    n->key = key;
    n->left = n->right = NULL;
    n->parent = parent;
    return n;
}

static struct node *insert(struct node *t, struct node *parent, int key) {
    if (!t)
        return new_node(key, parent);
    if (key < t->key)
        t->left = insert(t->left, t, key);
    else
        t->right = insert(t->right, t, key);
    return t;
}

static void free_tree(struct node *t) {
    if (!t)
        return;
    free_tree(t->left);
    free_tree(t->right);
    free(t);
}

int main(void) {
    struct node *root = new_node(0, NULL);
    while (__VERIFIER_nondet_int())
        insert(root, NULL, __VERIFIER_nondet_int());
    if (root->left && root->right)
        root->right->parent = root->left;
    free_tree(root->left);
    root->left = NULL;
    int key = root->right ? root->right->parent->key : 0; //~ use-after-free
    free_tree(root);
    return key;
}
