//@ engines: refine, overlay; verdict: unknown
//@ engines: tvl; verdict: safe
#include <heapwise.h>
#include <stddef.h>

struct node { struct node *next; };

static struct node *keep(struct node *list)
{
    hw_requires("acyclic(list)");
    hw_ensures("forall v: v->next == old(v->next)");
    return list;
}

int main(void)
{
    keep(NULL);
    return 0;
}
