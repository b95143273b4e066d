//@ engines: refine; verdict: unsafe
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { int v; struct node *next; };
int main(void) {
  struct node *head = malloc(sizeof *head);
  if (!head) return 1;
  head->v = -1; head->next = NULL;
  while (__VERIFIER_nondet_int()) {
    struct node *n = malloc(sizeof *n);
    if (!n) break;
    n->v = __VERIFIER_nondet_int() ? 1000 : -1; n->next = head; head = n;
  }
  struct node *p = head;
  while (p->v != -1) { assert(p->v == 1000); p = p->next; }
  assert(!p->next);  //~ assert
  while (head) { struct node *next = head->next; free(head); head = next; }
  return 0;
}
