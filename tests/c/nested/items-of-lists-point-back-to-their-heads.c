//@ engines: tvl; verdict: safe
// Items of a list of lists point back to the head of their list, which is written through them.
#include <stdlib.h>
struct row;
struct item { struct item *next; struct row *head; };
struct row { struct row *next; struct item *items; int count; };
int __VERIFIER_nondet_int(void);
int main(void) {
  struct row *rows = NULL;
  while (__VERIFIER_nondet_int()) {
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
    r->next = rows;
    rows = r;
  }
  for (struct row *r = rows; r; r = r->next)
    for (struct item *i = r->items; i; i = i->next)
      i->head->count = 1;
  while (rows) {
    struct row *r = rows;
    rows = r->next;
    while (r->items) {
      struct item *i = r->items;
      r->items = i->next;
      free(i);
    }
    free(r);
  }
  return 0;
}
