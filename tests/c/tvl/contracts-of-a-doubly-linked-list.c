//@ engines: tvl; verdict: safe
/* Both ways through a doubly linked list are one: what is reached is known by going on and going back. */
#include <heapwise.h>
#include <stdlib.h>
struct dn { struct dn *next, *prev; int v; };
struct dn *dpush(struct dn *l, int v)
{
    hw_requires("dll(l) && acyclic(l, next) && (l ==> l->prev == NULL)");
    hw_ensures("dll(result) && acyclic(result, next) && result && result->prev == NULL");
    hw_ensures("forall w: reach(result, w) <==> w == result || old(reach(l, w))");
    struct dn *n = malloc(sizeof *n);
    if (!n) abort();
    n->v = v; n->next = l; n->prev = NULL;
    if (l) l->prev = n;
    return n;
}
void dfree(struct dn *l)
{
    hw_requires("dll(l) && acyclic(l, next) && (l ==> l->prev == NULL)");
    hw_ensures("forall w: old(reach(l, w)) ==> freed(w)");
    while (l) { struct dn *n = l->next; free(l); l = n; }
}
int main(void)
{
    struct dn *l = NULL;
    l = dpush(l, 1); l = dpush(l, 2);
    dfree(l);
    return 0;
}
