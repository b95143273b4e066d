//@ engines: refine; verdict: unsafe
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct payload { int size; };
struct node { int has_payload; struct payload *payload; struct node *next; };
int main(void) {
  struct node *head = NULL;
  while (__VERIFIER_nondet_int()) {
    struct node *n = malloc(sizeof *n);
    if (!n) break;
    n->has_payload = 0;
    n->payload = NULL;
    if (__VERIFIER_nondet_int()) {
      n->payload = malloc(sizeof *n->payload);
      if (n->payload != NULL) { n->payload->size = 3; n->has_payload = 1; }
    }
    n->next = head;
    head = n;
  }
  for (struct node *p = head; p; p = p->next)
    if (p->has_payload) p->payload->size = 4;
  while (head) {
    struct node *next = head->next;
    if (!head->has_payload) free(head->payload);
    free(head);  //~ leak
    head = next;
  }
  return 0;
}
