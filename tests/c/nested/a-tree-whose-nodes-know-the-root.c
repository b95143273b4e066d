//@ engines: tvl; verdict: safe
// Every node of a tree points to its root; leaves are taken off until the root is alone.
#include <stdlib.h>
struct node { struct node *left, *right, *root; };
int __VERIFIER_nondet_int(void);
int main(void) {
  struct node *root = malloc(sizeof *root);
  if (!root) abort();
  root->left = root->right = NULL; root->root = root;
  while (__VERIFIER_nondet_int()) {
    struct node *p = root;
    while (p->left && p->right) { if (__VERIFIER_nondet_int()) p = p->left; else p = p->right; }
    struct node *n = malloc(sizeof *n);
    if (!n) abort();
    n->left = n->right = NULL;
    n->root = p->root;
    if (!p->left) p->left = n; else p->right = n;
  }
  while (root->left || root->right) {
    struct node *p = root, *up = root;
    while (p->left || p->right) { up = p; if (p->left) p = p->left; else p = p->right; }
    if (p->root != root) p->left->left = NULL;
    if (up->left == p) up->left = NULL; else up->right = NULL;
    free(p);
  }
  free(root);
  return 0;
}
