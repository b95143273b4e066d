//@ engines: tvl; verdict: unsafe
/* There may be no subtree between the two nodes. */
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
static void destroy(struct t *t) { if (t) { destroy(t->left); destroy(t->right); free(t); } }
static void left_rotate(struct t **root, struct t *x) {
    struct t *y = x->right;
    x->right = y->left;
    y->left->parent = x; //~ null-deref
    y->parent = x->parent;
    if (x->parent == NULL) *root = y;
    else if (x == x->parent->left) x->parent->left = y;
    else x->parent->right = y;
    y->left = x;
    x->parent = y;
}
int main(void) {
    struct t *root = NULL;
    while (__VERIFIER_nondet_int()) root = insert(root, __VERIFIER_nondet_int());
    struct t *x = root;
    while (x && __VERIFIER_nondet_int()) x = __VERIFIER_nondet_int() ? x->left : x->right;
    if (x && x->right) { left_rotate(&root, x); hw_assert_tree_parent(root); }
    destroy(root);
    return 0;
}
