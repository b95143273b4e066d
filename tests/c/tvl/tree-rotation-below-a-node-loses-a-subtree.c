//@ engines: tvl; verdict: unsafe
/* The subtree in the middle is not moved. */
#include <stdlib.h>
#include <heapwise.h>
extern int __VERIFIER_nondet_int(void);
struct t { int key; struct t *left, *right; };
static struct t *insert(struct t *root, int key) {
    struct t *n = malloc(sizeof *n);
    if (!n) return root;
    n->key = key; n->left = n->right = NULL;
    if (!root) return n;
    struct t *p = root, *q = NULL;
    while (p) { q = p; p = key < p->key ? p->left : p->right; }
    if (key < q->key) q->left = n; else q->right = n;
    return root;
}
static void destroy(struct t *t) { if (t) { destroy(t->left); destroy(t->right); free(t); } }
static struct t *rotate_left(struct t *x) { struct t *y = x->right; y->left = x; return y; } //~ leak
int main(void) {
    struct t *root = NULL;
    while (__VERIFIER_nondet_int()) root = insert(root, __VERIFIER_nondet_int());
    if (root) {
        struct t *p = root;
        while (p->left && __VERIFIER_nondet_int()) p = p->left;
        if (p->left && p->left->right) p->left = rotate_left(p->left);
        hw_assert_tree(root); //~ shape
    }
    destroy(root);
    return 0;
}
