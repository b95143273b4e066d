//@ engines: explicit, graph, tvl, overlay, refine; verdict: unknown
//@ args: --entry f --arguments any
#include <heapwise.h>
#include <stddef.h>
struct node { struct node *next; int value; };
int f(struct node *list)
{
    int *q = NULL;
    hw_assume_cyclic(list);
    return *q;
    //~^ may null-deref
}
