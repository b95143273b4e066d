//@ engines: tvl; verdict: unsafe
// The express level is read after all cells were freed.
#include <stdlib.h>
struct node { struct node *next; struct node *express; int key; };
int __VERIFIER_nondet_int(void);
int main(void) {
  struct node *head = NULL, *top = NULL;
  while (__VERIFIER_nondet_int()) {
    struct node *n = malloc(sizeof *n);
    if (!n) abort();
    n->key = __VERIFIER_nondet_int();
    n->next = head;
    head = n;
    n->express = NULL;
    if (__VERIFIER_nondet_int()) { n->express = top; top = n; }
  }
  struct node *p = top;
  while (p && p->key > 0) p = p->express;
  while (p && p->key < 9) p = p->next;
  while (head) { struct node *n = head->next; free(head); head = n; }
  if (top) return top->key;  //~ use-after-free
  return 0;
}
