//@ engines: explicit, graph, overlay, refine; verdict: unknown
//@ args: --entry f --arguments any
#include <heapwise.h>
#include <stddef.h>
struct node { struct node *next; int value; };
struct node *f(struct node *list, struct node *other)
{
    hw_ensures("result != other || result == NULL");
    if (!list || !other)
        return NULL;
    return list;
}
