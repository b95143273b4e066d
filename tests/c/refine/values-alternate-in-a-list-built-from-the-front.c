//@ engines: refine; verdict: safe
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { int v; struct node *next; };
int main(void) {
  struct node *head = NULL;
  int v = 0;
  while (__VERIFIER_nondet_int()) {
    struct node *n = malloc(sizeof *n);
    if (!n) break;
    n->v = v;
    v = !v;
    n->next = head;
    head = n;
  }
  for (struct node *p = head; p && p->next; p = p->next)
    assert(p->v != p->next->v);
  while (head) { struct node *next = head->next; free(head); head = next; }
  return 0;
}
