//@ engines: tvl; verdict: unsafe
/* The cell that the overwritten link led to is lost. */
#include <heapwise.h>
#include <stdlib.h>
struct node { struct node *next; int value; };
struct node *tail(struct node *l) { hw_requires("acyclic(l)"); hw_ensures("acyclic(result)"); hw_ensures("forall v: reach(result, v) ==> old(reach(l, v))"); return l ? l->next : NULL; }
int main(void) { struct node *a = malloc(sizeof *a), *b = malloc(sizeof *b); if (!a || !b) exit(0); b->next = NULL; b->value = 1; a->next = b; a->value = 0;
  a->next = tail(a->next);
  while (a) { struct node *n = a->next; free(a); a = n; }
  return 0; }   //~ leak
