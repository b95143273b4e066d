//@ engines: tvl; verdict: safe
/* A pointer to links goes down the tree, to the left or the right link of each node. */
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
static void insert_at(struct t **link, int key) {
    while (*link) {
        if (key < (*link)->key) link = &(*link)->left; else link = &(*link)->right;
    }
    struct t *n = malloc(sizeof *n);
    if (!n) return;
    n->key = key; n->left = n->right = NULL;
    *link = n;
}
int main(void) {
    struct t *root = NULL;
    while (__VERIFIER_nondet_int()) insert_at(&root, __VERIFIER_nondet_int());
    hw_assert_tree(root);
    destroy(root);
    return 0;
}
