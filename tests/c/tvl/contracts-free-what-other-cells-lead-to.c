//@ engines: tvl; verdict: unsafe
/* A link from a cell that the call cannot reach dangles when the call has freed where it led. */
#include <heapwise.h>
#include <stdlib.h>
struct node { struct node *next; int value; };
void drop(struct node *l) { hw_requires("acyclic(l)"); hw_ensures("forall v: old(reach(l, v)) ==> freed(v)"); while (l) { struct node *n = l->next; free(l); l = n; } }
int main(void) { struct node *a = malloc(sizeof *a), *b = malloc(sizeof *b); if (!a || !b) exit(0); b->next = NULL; b->value = 1; a->next = b; a->value = 0;
  drop(b); 
  int v = a->next->value;   //~ use-after-free
  free(a); return v; }
