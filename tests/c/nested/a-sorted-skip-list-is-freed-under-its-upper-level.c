//@ engines: tvl; verdict: unsafe
// A cell of the upper level is read after the lower level was freed.
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
  struct sl *up = head->n2;
  while (head) { struct sl *x = head; head = head->n1; free(x); }
  if (up && up->n2) return 3;  //~ use-after-free
  return 0;
}
