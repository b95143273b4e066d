//@ engines: refine; verdict: safe
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { int v; struct node *next; };
int main(void) {
  struct node *zeros = NULL, *ones = NULL;
  while (__VERIFIER_nondet_int()) {
    struct node *n = malloc(sizeof *n);
    if (!n) break;
    n->v = __VERIFIER_nondet_int() != 0;
    if (n->v) { n->next = ones; ones = n; } else { n->next = zeros; zeros = n; }
  }
  for (struct node *p = zeros; p; p = p->next) assert(p->v == 0);
  for (struct node *p = ones; p; p = p->next) assert(p->v == 1);
  while (zeros) { struct node *t = zeros->next; free(zeros); zeros = t; }
  while (ones) { struct node *t = ones->next; free(ones); ones = t; }
  return 0;
}
