//@ engines: tvl; verdict: unsafe
/* What the popped node led to is known, so the second call is known to get null. */
#include <heapwise.h>
#include <stdlib.h>
struct node { struct node *next; int value; };
struct node *pop(struct node *l)
{
    hw_requires("l != NULL && acyclic(l)");
    hw_ensures("result == old(l->next) && freed(l) && acyclic(result)");
    hw_ensures("forall v: freed(v) ==> v == l");
    struct node *n = l->next;
    free(l);
    return n;
}
int main(void)
{
    struct node *a = malloc(sizeof *a);
    if (!a) return 0;
    a->next = NULL; a->value = 0;
    a = pop(a);
    a = pop(a); //~ shape
    return 0;
}
