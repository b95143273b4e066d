//@ engines: refine; verdict: unsafe
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { int key; struct node *next; };
int main(void) {
  struct node *head = NULL;
  int wanted = __VERIFIER_nondet_int();
  int there = 0;
  while (__VERIFIER_nondet_int()) {
    struct node *n = malloc(sizeof *n);
    if (!n) break;
    if (__VERIFIER_nondet_int()) { there = 1; n->key = wanted + 1; }
    else n->key = __VERIFIER_nondet_int();
    n->next = head;
    head = n;
  }
  if (there) {
    struct node *p = head;
    while (p->key != wanted) p = p->next;  //~ null-deref
    p->key = 0;
  }
  while (head) { struct node *next = head->next; free(head); head = next; }
  return 0;
}
