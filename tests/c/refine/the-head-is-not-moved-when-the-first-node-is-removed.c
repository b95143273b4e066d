//@ engines: refine; verdict: unsafe
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { int key; struct node *next, *prev; };
int main(void) {
  struct node *head = NULL;
  while (__VERIFIER_nondet_int()) {
    struct node *n = malloc(sizeof *n);
    if (!n) break;
    n->key = 1;
    n->prev = NULL;
    n->next = head;
    if (head) head->prev = n;
    head = n;
  }
  struct node *x = malloc(sizeof *x);
  if (x) {
    x->key = 42; x->prev = NULL; x->next = head;
    if (head) head->prev = x;
    head = x;
    while (__VERIFIER_nondet_int()) {
      struct node *n = malloc(sizeof *n);
      if (!n) break;
      n->key = 1; n->prev = NULL; n->next = head;
      head->prev = n;
      head = n;
    }
    struct node *p = head;
    while (p->key != 42) p = p->next;
    assert(p == x);
    if (p->prev) p->prev->next = p->next;
    if (p->next) p->next->prev = p->prev;
    free(p);  //~ may leak
    for (p = head; p; p = p->next) assert(p->key == 1);  //~ use-after-free
  }
  while (head) { struct node *next = head->next; free(head); head = next; }
  return 0;
}
