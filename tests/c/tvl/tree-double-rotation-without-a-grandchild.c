//@ engines: tvl; verdict: unsafe
/* It is not tested whether the left child has a right child. */
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
static struct t *rotate_left(struct t *x) { struct t *y = x->right; x->right = y->left; y->left = x; return y; } //~ null-deref
static struct t *rotate_right(struct t *x) { struct t *y = x->left; x->left = y->right; y->right = x; return y; }
int main(void) {
    struct t *root = NULL;
    while (__VERIFIER_nondet_int()) root = insert(root, __VERIFIER_nondet_int());
    if (root && root->left) {
        root->left = rotate_left(root->left);
        root = rotate_right(root);
    }
    hw_assert_tree(root);
    destroy(root);
    return 0;
}
