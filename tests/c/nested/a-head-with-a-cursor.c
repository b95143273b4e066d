//@ engines: tvl; verdict: safe
// The head of a list holds a cursor that walks along it.
#include <stdlib.h>
struct item { struct item *next; };
struct row { struct item *items; struct item *cursor; };
int __VERIFIER_nondet_int(void);
int main(void) {
  struct row *r = malloc(sizeof *r);
  if (!r) abort();
  r->items = NULL;
  while (__VERIFIER_nondet_int()) {
    struct item *i = malloc(sizeof *i);
    if (!i) abort();
    i->next = r->items;
    r->items = i;
  }
  r->cursor = r->items;
  while (__VERIFIER_nondet_int()) {
    if (!r->cursor) r->cursor = r->items;
    else r->cursor = r->cursor->next;
  }
  while (r->items) {
    struct item *i = r->items;
    if (r->cursor == i) r->cursor = i->next;
    r->items = i->next;
    free(i);
  }
  free(r);
  return 0;
}
