//@ engines: tvl; verdict: safe
// Doubly linked items know their head: each unlinks itself.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct q;
struct it { struct it *next, *prev; struct q *home; };
struct q { struct it *head; };
static void unlink_item(struct it *i) {
  if (i->prev) i->prev->next = i->next; else i->home->head = i->next;
  if (i->next) i->next->prev = i->prev;
  free(i);
}
int main(void) {
  struct q *q = malloc(sizeof *q);
  if (!q) return 0;
  q->head = NULL;
  while (__VERIFIER_nondet_int()) {
    struct it *i = malloc(sizeof *i);
    if (!i) break;
    i->home = q; i->prev = NULL; i->next = q->head;
    if (q->head) q->head->prev = i;
    q->head = i;
  }
  struct it *i = q->head;
  while (i) {
    struct it *n = i->next;
    if (__VERIFIER_nondet_int()) unlink_item(i);
    i = n;
  }
  while (q->head) unlink_item(q->head);
  free(q);
  return 0;
}
