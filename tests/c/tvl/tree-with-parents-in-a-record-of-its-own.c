//@ engines: tvl; verdict: safe
/* The root is in a local record that is passed by address; links have other names. */
#include <stdlib.h>
#include <heapwise.h>
extern int __VERIFIER_nondet_int(void);
typedef struct node { struct node *lchild, *rchild, *father; int data; } node_t;
typedef struct { node_t *root; int size; } bst_t;
static void bst_insert(bst_t *t, int data) {
    node_t *z = malloc(sizeof(node_t));
    if (!z) return;
    z->data = data; z->lchild = NULL; z->rchild = NULL;
    node_t *y = NULL;
    node_t *x = t->root;
    while (x != NULL) {
        y = x;
        if (data < x->data) x = x->lchild;
        else x = x->rchild;
    }
    z->father = y;
    if (y == NULL) t->root = z;
    else if (data < y->data) y->lchild = z;
    else y->rchild = z;
    t->size++;
}
static void left_rotate(bst_t *t, node_t *x) {
    node_t *y = x->rchild;
    x->rchild = y->lchild;
    if (y->lchild) y->lchild->father = x;
    y->father = x->father;
    if (!x->father) t->root = y;
    else if (x == x->father->lchild) x->father->lchild = y;
    else x->father->rchild = y;
    y->lchild = x;
    x->father = y;
}
static void free_all(node_t *n) { if (!n) return; free_all(n->lchild); free_all(n->rchild); free(n); }
int main(void) {
    bst_t tree = { NULL, 0 };
    while (__VERIFIER_nondet_int()) bst_insert(&tree, __VERIFIER_nondet_int());
    node_t *x = tree.root;
    while (x && __VERIFIER_nondet_int()) x = x->lchild;
    if (x && x->rchild) left_rotate(&tree, x);
    hw_assert_tree_parent_by(tree.root, lchild, rchild, father);
    free_all(tree.root);
    return 0;
}
