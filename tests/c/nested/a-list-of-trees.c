//@ engines: tvl; verdict: safe
// Trees in a list, each freed by rotations.
#include <stdlib.h>
struct node { struct node *left, *right; };
struct row { struct row *next; struct node *root; };
int __VERIFIER_nondet_int(void);
int main(void) {
  struct row *rows = NULL;
  while (__VERIFIER_nondet_int()) {
    struct row *r = malloc(sizeof *r);
    if (!r) abort();
    r->root = NULL;
    while (__VERIFIER_nondet_int()) {
      struct node *n = malloc(sizeof *n);
      if (!n) abort();
      n->left = r->root;
      n->right = NULL;
      r->root = n;
    }
    r->next = rows;
    rows = r;
  }
  while (rows) {
    struct row *r = rows;
    while (r->root) {
      struct node *n = r->root;
      if (n->left) { struct node *l = n->left; n->left = l->right; l->right = n; r->root = l; }
      else { r->root = n->right; free(n); }
    }
    rows = r->next;
    free(r);
  }
  return 0;
}
