//@ engines: tvl; verdict: unsafe
// The last item is written after the queue was emptied.
#include <stdlib.h>
struct item { struct item *next; };
struct queue { struct queue *next; struct item *first, *last; };
int __VERIFIER_nondet_int(void);
int main(void) {
  struct queue *queues = NULL;
  while (__VERIFIER_nondet_int()) {
    struct queue *q = malloc(sizeof *q);
    if (!q) abort();
    q->first = q->last = NULL;
    while (__VERIFIER_nondet_int()) {
      struct item *i = malloc(sizeof *i);
      if (!i) abort();
      i->next = NULL;
      if (q->last) q->last->next = i; else q->first = i;
      q->last = i;
    }
    q->next = queues;
    queues = q;
  }
  while (queues) {
    struct queue *q = queues;
    queues = q->next;
    while (q->first) { struct item *i = q->first; q->first = i->next; free(i); }
    if (q->last) q->last->next = NULL;  //~ use-after-free
    free(q);
  }
  return 0;
}
