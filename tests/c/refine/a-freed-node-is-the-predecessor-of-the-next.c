//@ engines: refine; verdict: unsafe
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { _Bool marked; struct node *next; };
int main(void) {
  struct node *head = NULL;
  while (__VERIFIER_nondet_int()) {
    struct node *n = malloc(sizeof *n);
    if (!n) break;
    n->marked = 0; n->next = head; head = n;
  }
  for (struct node *p = head; p; p = p->next) if (__VERIFIER_nondet_int()) p->marked = 1;
  struct node *prev = NULL, *p = head;
  while (p) {
    struct node *next = p->next;
    if (!p->marked) {
      if (prev) prev->next = next; else head = next;  //~ use-after-free
      free(p);
    }
    prev = p;
    p = next;
  }
  for (p = head; p; p = p->next) assert(p->marked);
  while (head) { struct node *next = head->next; free(head); head = next; }
  return 0;
}
