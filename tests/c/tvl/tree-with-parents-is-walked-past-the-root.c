//@ engines: tvl; verdict: unsafe
/* The way up does not stop at the root. */
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
static void destroy(struct t *c) { while (c) { if (c->left) c = c->left; else if (c->right) c = c->right; else { struct t *p = c->parent; if (p) { if (p->left == c) p->left = NULL; else p->right = NULL; } free(c); c = p; } } }
static struct t *successor(struct t *x) {
    if (x->right) { x = x->right; while (x->left) x = x->left; return x; }
    struct t *y = x->parent;
    while (x == y->right) { x = y; y = y->parent; } //~ null-deref
    return y;
}
int main(void) {
    struct t *root = NULL;
    while (__VERIFIER_nondet_int()) root = insert(root, __VERIFIER_nondet_int());
    struct t *x = root;
    int sum = 0;
    if (x) { while (x->left) x = x->left; }
    while (x) { sum += x->key; x = successor(x); }
    hw_assert_tree_parent(root);
    destroy(root);
    return sum != 0;
}
