//@ engines: refine; verdict: safe
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct cell { int token; struct cell *next, *prev; };
int main(void) {
  struct cell *head = malloc(sizeof *head);
  if (!head) return 1;
  head->token = 1; head->next = NULL; head->prev = NULL;
  struct cell *tail = head;
  while (__VERIFIER_nondet_int()) {
    struct cell *n = malloc(sizeof *n);
    if (!n) break;
    n->token = 0; n->next = NULL; n->prev = tail;
    tail->next = n;
    tail = n;
  }
  struct cell *holder = head;
  while (__VERIFIER_nondet_int()) {
    assert(holder->token == 1);
    if (__VERIFIER_nondet_int()) {
      if (holder->next) { holder->token = 0; holder = holder->next; holder->token = 1; }
    } else {
      if (holder->prev) { holder->token = 0; holder = holder->prev; holder->token = 1; }
    }
  }
  for (struct cell *p = head; p; p = p->next)
    assert((p == holder) == (p->token == 1));
  while (head) { struct cell *next = head->next; free(head); head = next; }
  return 0;
}
