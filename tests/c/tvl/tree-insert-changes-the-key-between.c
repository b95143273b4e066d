//@ engines: tvl; verdict: unsafe
// The key has changed since the search went down: a subtree may be overwritten.
#include <stdlib.h>
#include <heapwise.h>
int __VERIFIER_nondet_int(void);
struct node { int key; struct node *left, *right; };
static struct node *insert(struct node *root, int key) {
    struct node *n = malloc(sizeof *n);
    if (!n) return root;
    n->key = key;
    n->left = n->right = NULL;
    struct node *parent = NULL, *cur = root;
    while (cur) {
        parent = cur;
        cur = n->key < cur->key ? cur->left : cur->right;
    }
    if (!parent) return n;
    key--;
    if (key < parent->key) parent->left = n; //~ leak
    else parent->right = n; //~ leak
    return root;
}
int main(void) {
    struct node *root = NULL;
    while (__VERIFIER_nondet_int()) root = insert(root, __VERIFIER_nondet_int());
    hw_assert_tree(root);
    while (root) {
        struct node *l = root->left;
        if (l) { root->left = l->right; l->right = root; root = l; }
        else { struct node *r = root->right; free(root); root = r; }
    }
    return 0;
}
