//@ engines: refine; verdict: safe
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { int v; struct node *next; };
int main(void) {
  struct node *head = NULL;
  while (__VERIFIER_nondet_int()) {
    int v = __VERIFIER_nondet_int();
    if (v <= 0) continue;
    struct node *n = malloc(sizeof *n);
    if (!n) break;
    n->v = v; n->next = head; head = n;
  }
  for (struct node *p = head; p; p = p->next) assert(p->v > 0);
  while (head) { struct node *next = head->next; free(head); head = next; }
  return 0;
}
