//@ engines: tvl; verdict: safe
/* A link from a cell that the call cannot reach leads to the same cell behind it, and to what that leads to now. */
#include <heapwise.h>
#include <stdlib.h>
struct node { struct node *next; int value; };
struct node *append1(struct node *l) { hw_requires("l && acyclic(l)"); hw_ensures("result == l && acyclic(l)"); hw_ensures("forall v: reach(l, v) <==> old(reach(l, v)) || fresh(v)");
  struct node *n = malloc(sizeof *n); if (!n) abort(); n->next = NULL; n->value = 1; struct node *p = l; while (p->next) p = p->next; p->next = n; return l; }
int main(void) { struct node *a = malloc(sizeof *a), *b = malloc(sizeof *b); if (!a || !b) exit(0); b->next = NULL; b->value = 1; a->next = b; a->value = 0;
  append1(b);
  while (a) { struct node *n = a->next; free(a); a = n; } return 0; }
