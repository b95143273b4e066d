//@ engines: tvl; verdict: safe
// Each item of a list points back to the head that holds the list, which is changed through it.
#include <stdlib.h>
struct item { struct item *next; struct row *head; };
struct row { struct item *items; int count; };
int __VERIFIER_nondet_int(void);
int main(void) {
  struct row *r = malloc(sizeof *r);
  if (!r) abort();
  r->items = NULL;
  r->count = 0;
  while (__VERIFIER_nondet_int()) {
    struct item *i = malloc(sizeof *i);
    if (!i) abort();
    i->head = r;
    i->next = r->items;
    r->items = i;
  }
  for (struct item *i = r->items; i; i = i->next) i->head->count = 1;
  while (r->items) {
    struct item *i = r->items;
    i->head->items = i->next;
    free(i);
  }
  free(r);
  return 0;
}
