//@ engines: tvl; verdict: unsafe
// Subtrees are rotated on the way up, and what lies between the two nodes is lost.
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

static struct node *rotate_right(struct node *y) {
    struct node *x = y->left, *middle = x->right;
    x->parent = y->parent;
    x->right = y;
    y->parent = x;
    y->left = NULL;
    return x; //~ leak
}

static struct node *insert(struct node *t, struct node *parent, int key) {
    if (!t)
        return new_node(key, parent);
    if (key < t->key) {
        t->left = insert(t->left, t, key);
        if (__VERIFIER_nondet_int())
            return rotate_right(t);
    } else {
        t->right = insert(t->right, t, key);
    }
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
    hw_assert_tree_parent(root);
    free_tree(root);
    return 0;
}
