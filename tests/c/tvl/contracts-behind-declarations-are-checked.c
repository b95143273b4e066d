//@ engines: tvl; verdict: unsafe
/* A body that breaks what its declaration ensures, and a call without what one requires. */
#include <heapwise.h>
#include <stdlib.h>
struct node {
    struct node *next;
};
struct node *last(struct node *list)
    hw_requires("list && acyclic(list)")
    hw_ensures("reach(list, result) && result->next == NULL")
    hw_ensures("forall v: v->next == old(v->next)");

struct node *last(struct node *cell)
{
    while (cell->next)
        cell = cell->next;
    return cell->next;   //~ shape
}

int main(void)
{
    struct node *none = NULL;
    struct node *found = last(none);   //~ shape
    (void)found;
    return 0;
}
