//@ engines: tvl, explicit; verdict: unsafe
/* Of a fresh cell nothing held when the call started, so its negation did: `old(!reach(list, v))` allows the result. */
#include <heapwise.h>
#include <stdlib.h>
struct node { struct node *next; };
struct node *apart(struct node *list)
{
    hw_requires("acyclic(list)");
    hw_ensures("acyclic(result)");
    hw_ensures("forall v: reach(result, v) ==> old(!reach(list, v))");
    hw_ensures("forall v: v->next == old(v->next) || !old(reach(list, v))");
    (void)list;
    struct node *n = malloc(sizeof *n);
    if (n) n->next = NULL;
    return n;
}
int main(void)
{
    struct node *n = apart(NULL);
    if (n) n = NULL;   //~ leak
    return 0;
}
