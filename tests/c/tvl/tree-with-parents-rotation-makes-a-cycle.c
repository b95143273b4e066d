//@ engines: tvl; verdict: unsafe
/* The wrong link is moved: two nodes lead to each other, and what hung between them is lost. */
#include <stdlib.h>
#include <heapwise.h>
extern int __VERIFIER_nondet_int(void);
struct t { int key; struct t *left, *right, *parent; };
static struct t *insert(struct t *root, int key) {
    struct t *n = malloc(sizeof *n);
    if (!n) return root;
    n->key = key; n->left = n->right = n->parent = NULL;
    struct t *p = NULL, *c = root;
    while (c) { p = c; c = key < c->key ? c->left : c->right; }
    n->parent = p;
    if (!p) return n;
    if (key < p->key) p->left = n; else p->right = n;
    return root;
}
static struct t *rotate_left(struct t *root, struct t *x) {
    struct t *y = x->right;
    if (!y) return root;
    x->right = y;
    if (y->left) y->left->parent = x;
    y->parent = x->parent;
    if (!x->parent) root = y;
    else if (x == x->parent->left) x->parent->left = y;
    else x->parent->right = y;
    y->left = x; //~ leak
    x->parent = y;
    return root;
}
int main(void) {
    struct t *root = NULL;
    while (__VERIFIER_nondet_int()) root = insert(root, __VERIFIER_nondet_int());
    hw_assert_tree_parent(root);
    if (root) {
        struct t *x = root;
        while (__VERIFIER_nondet_int() && x->left) x = x->left;
        root = rotate_left(root, x);
        hw_assert_tree_parent(root); //~ shape
    }
    /* free iteratively through parents */
    struct t *c = root;
    while (c) {
        if (c->left) c = c->left;
        else if (c->right) c = c->right;
        else {
            struct t *p = c->parent;
            if (p) { if (p->left == c) p->left = NULL; else p->right = NULL; }
            free(c);
            c = p;
        }
    }
    return 0;
}
