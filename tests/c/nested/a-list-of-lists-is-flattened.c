//@ engines: tvl; verdict: safe
// The lists of a list of lists become one list.
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
    while (__VERIFIER_nondet_int()) {
      struct item *i = malloc(sizeof *i);
      if (!i) abort();
      i->next = r->items;
      r->items = i;
    }
    r->next = rows;
    rows = r;
  }
  struct item *all = NULL;
  while (rows) {
    struct row *r = rows;
    rows = r->next;
    if (r->items) {
      struct item *last = r->items;
      while (last->next) last = last->next;
      last->next = all;
      all = r->items;
    }
    free(r);
  }
  while (all) { struct item *i = all; all = i->next; free(i); }
  return 0;
}
