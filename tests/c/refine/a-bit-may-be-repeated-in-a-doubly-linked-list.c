//@ engines: refine; verdict: unsafe
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { int bit; struct node *next, *prev; };
int main(void) {
  struct node *head = NULL, *last = NULL;
  int bit = 1;
  while (__VERIFIER_nondet_int()) {
    struct node *n = malloc(sizeof *n);
    if (!n) break;
    if (__VERIFIER_nondet_int()) bit = 1 - bit;
    n->bit = bit;
    n->next = NULL;
    n->prev = last;
    if (last) last->next = n; else head = n;
    last = n;
  }
  for (struct node *p = last; p && p->prev; p = p->prev) {
    if (p->bit == 1) assert(p->prev->bit == 0);  //~ assert
    else assert(p->prev->bit == 1);  //~ assert
  }
  while (head) { struct node *next = head->next; free(head); head = next; }
  return 0;
}
