//@ engines: tvl; verdict: unsafe
// A right leaf is freed and stays linked.
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
    while (p->left || p->right) { up = p; if (p->left) p = p->left; else p = p->right; }  //~ use-after-free
    if (p->root != root) p->left->left = NULL;
    up->left = NULL;
    free(p);
  }
  free(root);
  return 0;
}
