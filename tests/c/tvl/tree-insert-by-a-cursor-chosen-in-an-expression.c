//@ engines: tvl; verdict: safe
/* The pointer to the next link is chosen by a conditional expression. */
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
int main(void) {
    struct t *root = NULL;
    while (__VERIFIER_nondet_int()) {
        int key = __VERIFIER_nondet_int();
        struct t **link = &root;
        while (*link) link = key < (*link)->key ? &(*link)->left : &(*link)->right;
        struct t *n = calloc(1, sizeof *n);
        if (!n) break;
        n->key = key;
        *link = n;
    }
    hw_assert_tree(root);
    destroy(root);
    return 0;
}
