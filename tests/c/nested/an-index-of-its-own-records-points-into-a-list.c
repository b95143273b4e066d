//@ engines: tvl; verdict: safe
// The upper level of a skip list has records of its own, each pointing down into the list.
#include <stdlib.h>
struct low { struct low *next; int key; };
struct up { struct up *next; struct low *down; };
extern int __VERIFIER_nondet_int(void);
int main(void) {
  struct low *list = NULL; struct up *index = NULL;
  while (__VERIFIER_nondet_int()) {
    struct low *l = malloc(sizeof *l);
    if (!l) abort();
    l->key = __VERIFIER_nondet_int(); l->next = list; list = l;
    if (__VERIFIER_nondet_int()) {
      struct up *u = malloc(sizeof *u);
      if (!u) abort();
      u->down = l; u->next = index; index = u;
    }
  }
  int hits = 0;
  for (struct up *u = index; u; u = u->next) {
    struct low *l = u->down;
    if (l->key == 5) hits = 1;
    if (l->next && l->next->key == 6) hits = 1;
  }
  while (index) { struct up *u = index->next; if (index->down->key == 3) hits = 2; free(index); index = u; }
  while (list) { struct low *l = list->next; free(list); list = l; }
  return hits;
}
