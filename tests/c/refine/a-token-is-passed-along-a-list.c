//@ engines: refine; verdict: safe
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { int token; struct node *next; };
int main(void) {
  struct node *head = NULL;
  while (__VERIFIER_nondet_int()) {
    struct node *n = malloc(sizeof *n);
    if (!n) break;
    n->token = 0;
    n->next = head;
    head = n;
  }
  if (head == NULL) return 0;
  head->token = 1;
  struct node *holder = head;
  while (holder->next != NULL && __VERIFIER_nondet_int()) {
    holder->token = 0;
    holder = holder->next;
    holder->token = 1;
  }
  struct node *p = head;
  while (p->token == 0) p = p->next;
  assert(p == holder);
  while (head) { struct node *next = head->next; free(head); head = next; }
  return 0;
}
