//@ engines: tvl; verdict: unknown
//@ args: --property shape
/* The cell that is lost has no link that is what it was; nobody asks about leaks, so it is no finding, but no *safe* either. */
#include <heapwise.h>
#include <stdlib.h>
struct node { struct node *next; };
static void look(struct node *list)
{
    hw_requires("acyclic(list)");
    hw_ensures("forall v: v->next == old(v->next)");
    struct node *cell = malloc(sizeof *cell);
    if (!cell)
        abort();
    cell->next = NULL;
}
int main(void)
{
    look(NULL);
    return 0;
}
