//@ engines: tvl; verdict: safe
/* A balanced tree: rotations on the way back from the recursive insertion. */
#include <stdlib.h>
#include <heapwise.h>
extern int __VERIFIER_nondet_int(void);
struct node { int key, height; struct node *left, *right; };
static int height(struct node *n) { return n ? n->height : 0; }
static int max(int a, int b) { return a > b ? a : b; }
static void update(struct node *n) { n->height = 1 + max(height(n->left), height(n->right)); }
static struct node *rotate_right(struct node *y) { struct node *x = y->left; y->left = x->right; x->right = y; update(y); update(x); return x; }
static struct node *rotate_left(struct node *x) { struct node *y = x->right; x->right = y->left; y->left = x; update(x); update(y); return y; }
static struct node *insert(struct node *n, int key) {
    if (n == NULL) {
        n = malloc(sizeof(struct node));
        if (n == NULL) exit(1);
        n->key = key; n->height = 1; n->left = NULL; n->right = NULL;
        return n;
    }
    if (key < n->key) n->left = insert(n->left, key);
    else if (key > n->key) n->right = insert(n->right, key);
    else return n;
    update(n);
    int balance = height(n->left) - height(n->right);
    if (balance > 1 && n->left) {
        if (key > n->left->key && n->left->right) n->left = rotate_left(n->left);
        return rotate_right(n);
    }
    if (balance < -1 && n->right) {
        if (key < n->right->key && n->right->left) n->right = rotate_right(n->right);
        return rotate_left(n);
    }
    return n;
}
static void destroy(struct node *n) { if (n) { destroy(n->left); destroy(n->right); free(n); } }
int main(void) {
    struct node *root = NULL;
    while (__VERIFIER_nondet_int()) root = insert(root, __VERIFIER_nondet_int());
    hw_assert_tree(root);
    destroy(root);
    return 0;
}
