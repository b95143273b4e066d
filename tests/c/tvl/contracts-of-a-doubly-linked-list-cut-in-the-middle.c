//@ engines: tvl; verdict: safe
/* Cells are pushed, found, taken out of the middle and freed, each by contract: ways back lead along the way. */
#include <heapwise.h>
#include <stdlib.h>
struct d { struct d *next, *prev; int v; };
struct d *push(struct d *h, int v) {
  hw_requires("dll(h) && acyclic(h, next) && (h ==> h->prev == NULL)");
  hw_ensures("dll(result) && acyclic(result, next) && result && result->prev == NULL");
  hw_ensures("forall v: reach(result, v, next) <==> old(reach(h, v, next)) || v == result");
  struct d *n = malloc(sizeof *n); if (!n) abort(); n->v = v; n->prev = NULL; n->next = h; if (h) h->prev = n; return n; }
struct d *find(struct d *h, int v) {
  hw_requires("dll(h) && acyclic(h, next)");
  hw_ensures("result == NULL || reach(h, result, next)");
  hw_ensures("forall v: v->next == old(v->next) && v->prev == old(v->prev)");
  while (h && h->v != v) h = h->next; return h; }
struct d *unlink(struct d *h, struct d *x) {
  hw_requires("h && x && dll(h) && acyclic(h, next) && h->prev == NULL && reach(h, x, next)");
  hw_ensures("dll(result) && acyclic(result, next) && (result ==> result->prev == NULL) && freed(x)");
  hw_ensures("forall v: reach(result, v, next) <==> old(reach(h, v, next)) && v != x");
  if (x->prev) x->prev->next = x->next; else h = x->next;
  if (x->next) x->next->prev = x->prev;
  free(x); return h; }
void destroy(struct d *h) {
  hw_requires("dll(h) && acyclic(h, next) && (h ==> h->prev == NULL)");
  hw_ensures("forall v: old(reach(h, v, next)) ==> freed(v)");
  while (h) { struct d *n = h->next; free(h); h = n; } }
int main(void) {
  struct d *l = NULL;
  for (int i = 0; i < 5; i++) l = push(l, i);
  struct d *x = find(l, 3);
  if (x) l = unlink(l, x);
  destroy(l);
  return 0; }
