//@ engines: tvl; verdict: safe
/* What is claimed in one breath is known as if each part were a clause of its own. */
#include <heapwise.h>
#include <stdlib.h>
struct d { struct d *next, *prev; int v; };
struct d *push(struct d *h, int v) {
  hw_requires("dll(h) && acyclic(h, next) && (h ==> h->prev == NULL)");
  hw_ensures("dll(result) && acyclic(result, next) && result && result->prev == NULL && result->next == h");
  hw_ensures("forall v: reach(result, v, next) <==> old(reach(h, v, next)) || v == result");
  struct d *n = malloc(sizeof *n); if (!n) abort(); n->v = v; n->prev = NULL; n->next = h; if (h) h->prev = n; return n; }
struct d *pop(struct d *h) {
  hw_requires("h && dll(h) && acyclic(h, next) && h->prev == NULL");
  hw_ensures("dll(result) && acyclic(result, next) && (result ==> result->prev == NULL) && result == old(h->next) && freed(h)");
  hw_ensures("forall v: reach(result, v, next) <==> old(reach(h, v, next)) && v != h");
  struct d *n = h->next; if (n) n->prev = NULL; free(h); return n; }
int main(void) {
  struct d *l = NULL;
  for (int i = 0; i < 5; i++) l = push(l, i);
  while (l) l = pop(l);
  return 0; }
