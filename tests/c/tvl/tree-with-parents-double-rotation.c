//@ engines: tvl; verdict: safe
/* The same with parents, by functions that may move the root. */
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
static void rotl(struct t **root, struct t *x) {
    struct t *y = x->right;
    x->right = y->left;
    if (y->left) y->left->parent = x;
    y->parent = x->parent;
    if (!x->parent) *root = y; else if (x->parent->left == x) x->parent->left = y; else x->parent->right = y;
    y->left = x; x->parent = y;
}
static void rotr(struct t **root, struct t *x) {
    struct t *y = x->left;
    x->left = y->right;
    if (y->right) y->right->parent = x;
    y->parent = x->parent;
    if (!x->parent) *root = y; else if (x->parent->left == x) x->parent->left = y; else x->parent->right = y;
    y->right = x; x->parent = y;
}
int main(void) {
    struct t *root = NULL;
    while (__VERIFIER_nondet_int()) root = insert(root, __VERIFIER_nondet_int());
    if (root && root->left && root->left->right) {
        rotl(&root, root->left);
        rotr(&root, root);
    }
    hw_assert_tree_parent(root);
    destroy(root);
    return 0;
}
