//@ engines: tvl; verdict: unsafe
// The head is freed with its first item.
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
  while (r->items) {  //~ use-after-free
    struct item *i = r->items;
    i->head->items = i->next; free(i->head);
    free(i);
  }
  free(r);
  return 0;
}
