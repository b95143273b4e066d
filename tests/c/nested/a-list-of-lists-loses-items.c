//@ engines: tvl; verdict: unsafe
// Only the first item of each list is freed.
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
  while (rows) {
    struct row *r = rows;
    rows = r->next;
    if (r->items) {
      struct item *i = r->items;
      r->items = i->next;
      free(i);
    }
    free(r);  //~ leak
  }
  return 0;
}
