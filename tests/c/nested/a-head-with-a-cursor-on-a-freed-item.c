//@ engines: tvl; verdict: unsafe
// The cursor stays on an item that is freed.
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

    r->items = i->next;
    free(i);
  }
  if (r->cursor) r->cursor = r->cursor->next;  //~ use-after-free
  free(r);
  return 0;
}
