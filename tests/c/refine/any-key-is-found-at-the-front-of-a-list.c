//@ engines: refine; verdict: safe
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { int key; struct node *next; };
int main(void) {
  struct node *head = NULL;
  while (__VERIFIER_nondet_int()) {
    struct node *n = malloc(sizeof *n);
    if (!n) break;
    n->key = __VERIFIER_nondet_int();
    n->next = head;
    head = n;
  }
  int wanted = __VERIFIER_nondet_int();
  struct node *n = malloc(sizeof *n);
  if (n) {
    n->key = wanted;
    n->next = head;
    head = n;
    struct node *p = head;
    while (p->key != wanted) p = p->next;
    assert(p->key == wanted);
  }
  while (head) { struct node *next = head->next; free(head); head = next; }
  return 0;
}
