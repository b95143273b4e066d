//@ engines: tvl; verdict: unsafe
/* A node with a left child only: the child is not linked again. */
#include <stdlib.h>
#include <heapwise.h>
extern int __VERIFIER_nondet_int(void);
struct t { int key; struct t *left, *right; };
static void destroy(struct t *t) { if (t) { destroy(t->left); destroy(t->right); free(t); } }
static void insert(struct t **link, int key) {
    while (*link) link = key < (*link)->key ? &(*link)->left : &(*link)->right;
    struct t *n = calloc(1, sizeof *n);
    if (n) { n->key = key; *link = n; }
}
static void delete(struct t **link, int key) {
    while (*link && (*link)->key != key) link = key < (*link)->key ? &(*link)->left : &(*link)->right;
    struct t *victim = *link;
    if (!victim) return;
    if (!victim->left) *link = victim->right;
    else if (!victim->right) *link = NULL;
    else return;
    free(victim); //~ leak
}
int main(void) {
    struct t *root = NULL;
    while (__VERIFIER_nondet_int()) insert(&root, __VERIFIER_nondet_int());
    delete(&root, __VERIFIER_nondet_int());
    hw_assert_tree(root);
    destroy(root);
    return 0;
}
