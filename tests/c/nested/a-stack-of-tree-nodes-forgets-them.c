//@ engines: tvl; verdict: unsafe
// Nodes are taken off the stack and not freed.
#include <stdlib.h>
struct tree { struct tree *left, *right; };
struct stack { struct stack *below; struct tree *node; };
int __VERIFIER_nondet_int(void);
int main(void) {
  struct tree *root = NULL;
  while (__VERIFIER_nondet_int()) {
    struct tree *n = malloc(sizeof *n);
    if (!n) abort();
    n->left = n->right = NULL;
    if (!root) { root = n; continue; }
    struct tree *p = root;
    for (;;) {
      if (__VERIFIER_nondet_int()) { if (!p->left) { p->left = n; break; } p = p->left; }
      else { if (!p->right) { p->right = n; break; } p = p->right; }
    }
  }
  struct stack *top = NULL;
  if (root) {
    top = malloc(sizeof *top);
    if (!top) abort();
    top->below = NULL; top->node = root;
  }
  while (top) {
    struct stack *s = top;
    struct tree *t = s->node;
    top = s->below;
    free(s);
    if (t->left) { s = malloc(sizeof *s); if (!s) abort(); s->below = top; s->node = t->left; top = s; }
    if (t->right) { s = malloc(sizeof *s); if (!s) abort(); s->below = top; s->node = t->right; top = s; }

  }
  return 0;  //~ leak
}
