//@ engines: tvl; verdict: safe
// Three levels of lists.
#include <stdlib.h>
struct leaf { struct leaf *next; };
struct item { struct item *next; struct leaf *leaves; };
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
      i->leaves = NULL;
      while (__VERIFIER_nondet_int()) {
        struct leaf *l = malloc(sizeof *l);
        if (!l) abort();
        l->next = i->leaves;
        i->leaves = l;
      }
      i->next = r->items;
      r->items = i;
    }
    r->next = rows;
    rows = r;
  }
  while (rows) {
    struct row *r = rows;
    rows = r->next;
    while (r->items) {
      struct item *i = r->items;
      r->items = i->next;
      while (i->leaves) { struct leaf *l = i->leaves; i->leaves = l->next; free(l); }
      free(i);
    }
    free(r);
  }
  return 0;
}
