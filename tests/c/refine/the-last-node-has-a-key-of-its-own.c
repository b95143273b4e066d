//@ engines: refine; verdict: safe
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { int key; struct node *next; };
#define END 99
int main(void) {
  struct node *sentinel = malloc(sizeof *sentinel);
  if (!sentinel) return 1;
  sentinel->key = END;
  sentinel->next = NULL;
  struct node *head = sentinel;
  while (__VERIFIER_nondet_int()) {
    struct node *n = malloc(sizeof *n);
    if (!n) break;
    n->key = 7;
    n->next = head;
    head = n;
  }
  struct node *p = head;
  while (p->key != END) p = p->next;
  assert(p->next == NULL);
  assert(p == sentinel);
  while (head->key != END) { struct node *next = head->next; free(head); head = next; }
  free(head);
  return 0;
}
