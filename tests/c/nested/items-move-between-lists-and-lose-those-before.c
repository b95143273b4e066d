//@ engines: tvl; verdict: unsafe
// What the first list holds is forgotten when an item is moved there.
#include <stdlib.h>
struct item { struct item *next; };
struct row { struct row *next; struct item *items; };
int __VERIFIER_nondet_int(void);
int main(void) {
  struct row *rows = NULL;
  while (__VERIFIER_nondet_int()) {
    struct row *r = malloc(sizeof *r);
    if (!r) abort();
    r->items = NULL;
    r->next = rows;
    rows = r;
  }
  while (rows && __VERIFIER_nondet_int()) {
    struct row *r = rows;
    while (r->next && __VERIFIER_nondet_int()) r = r->next;
    if (__VERIFIER_nondet_int()) {
      struct item *i = malloc(sizeof *i);
      if (!i) abort();
      i->next = r->items;
      r->items = i;
    } else if (r->items) {
      struct item *i = r->items;
      r->items = i->next;
      i->next = NULL;
      rows->items = i;  //~ leak
    }
  }
  while (rows) {
    struct row *r = rows;
    rows = r->next;
    while (r->items) { struct item *i = r->items; r->items = i->next; free(i); }
    free(r);
  }
  return 0;
}
