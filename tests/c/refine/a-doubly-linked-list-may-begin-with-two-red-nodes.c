//@ engines: refine; verdict: unsafe
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { int red; struct node *next, *prev; };
int main(void) {
  struct node *head = NULL, *tail = NULL;
  while (__VERIFIER_nondet_int()) {
    struct node *n = malloc(sizeof *n);
    if (!n) break;
    n->next = NULL;
    n->prev = tail;
    n->red = (tail != NULL && tail->prev != NULL && tail->red) ? 0 : (__VERIFIER_nondet_int() != 0);
    if (tail) tail->next = n; else head = n;
    tail = n;
  }
  struct node *p = tail;
  while (p != NULL) {
    if (p->prev != NULL) assert(!(p->red && p->prev->red));  //~ assert
    p = p->prev;
  }
  while (head) { struct node *next = head->next; free(head); head = next; }
  return 0;
}
