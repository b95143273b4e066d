//@ engines: refine; verdict: safe
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { int owns; int *data; struct node *next; };
int main(void) {
  struct node *head = NULL;
  int *shared = malloc(sizeof *shared);
  if (!shared) return 1;
  *shared = 0;
  while (__VERIFIER_nondet_int()) {
    struct node *n = malloc(sizeof *n);
    if (!n) break;
    if (__VERIFIER_nondet_int()) {
      n->data = malloc(sizeof *n->data);
      if (!n->data) { free(n); break; }
      n->owns = 1;
    } else { n->data = shared; n->owns = 0; }
    n->next = head;
    head = n;
  }
  while (head) {
    struct node *next = head->next;
    if (head->owns) free(head->data);
    free(head);
    head = next;
  }
  free(shared);
  return 0;
}
