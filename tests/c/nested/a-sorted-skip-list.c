//@ engines: tvl; verdict: safe
// Sorted insertion into a list of two levels behind a sentinel: the upper level is searched first.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct sl { int key; struct sl *n1; struct sl *n2; };
int main(void) {
  struct sl *head = malloc(sizeof *head);
  if (!head) return 1;
  head->key = -1; head->n1 = NULL; head->n2 = NULL;
  while (__VERIFIER_nondet_int()) {
    int k = __VERIFIER_nondet_int();
    struct sl *a = head;
    while (a->n2 && a->n2->key < k) a = a->n2;
    struct sl *b = a;
    while (b->n1 && b->n1->key < k) b = b->n1;
    struct sl *x = malloc(sizeof *x);
    if (!x) break;
    x->key = k;
    x->n1 = b->n1;
    b->n1 = x;
    x->n2 = NULL;
    if (__VERIFIER_nondet_int()) { x->n2 = a->n2; a->n2 = x; }
  }
  while (head) { struct sl *x = head; head = head->n1; free(x); }
  return 0;
}
