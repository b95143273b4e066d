//@ engines: tvl; verdict: safe
// A rotation leaves a subtree with its old parent. Whoever frees the tree does not ask for parents.
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

static struct node *rotate_somewhere(struct node *t) {
    if (!t)
        return NULL;
    if (t->left && __VERIFIER_nondet_int()) {
        struct node *x = t->left;
        x->parent = t->parent;
        t->left = x->right;
        x->right = t;
        t->parent = x;
        return x;
    }
    t->right = rotate_somewhere(t->right);
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
    struct node *root = NULL;
    while (__VERIFIER_nondet_int())
        root = insert(root, NULL, __VERIFIER_nondet_int());
    root = rotate_somewhere(root);
    free_tree(root);
    return 0;
}
