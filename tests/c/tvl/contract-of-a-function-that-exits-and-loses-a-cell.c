//@ engines: tvl; verdict: unknown
//@ engines: explicit; verdict: unsafe
#include <heapwise.h>
#include <stdlib.h>

struct node { struct node *next; };

static void stop(struct node *list)
{
    hw_requires("list && acyclic(list)");
    hw_ensures("acyclic(list)");
    hw_ensures("forall v: v->next == old(v->next)");
    list->next = NULL;      //~ may leak
    exit(0);
}

int main(void)
{
    struct node *a = malloc(sizeof *a);
    if (!a)
        return 0;
    a->next = malloc(sizeof *a);
    if (a->next) {
        a->next->next = NULL;
        stop(a);
        free(a->next);
    }
    free(a);
    return 0;
}
