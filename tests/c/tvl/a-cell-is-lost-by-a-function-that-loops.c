//@ engines: explicit, graph, tvl, overlay; verdict: unsafe
//@ args: --property heap
#include <stdlib.h>

struct node { struct node *next; };

static void serve(struct node *list)
{
    list->next = NULL;      //~ leak
    for (;;) { }
}

int main(void)
{
    struct node *a = malloc(sizeof *a);
    if (!a)
        return 0;
    a->next = malloc(sizeof *a);
    if (a->next)
        a->next->next = NULL;
    serve(a);
    free(a->next);
    free(a);
    return 0;
}
