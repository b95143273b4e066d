//@ engines: explicit, graph, tvl, overlay; verdict: unsafe
/* The copy of a copy is used in the end. */
#include <stdlib.h>

struct node {
    struct node *next;
    int v, w;
    double d;
};

static int get(int *p)
{
    return *p;
}

int main(void)
{
    struct node *p = malloc(sizeof *p);
    if (!p)
        return 1;
    p->next = NULL;
    int i = p->v;
    p->w = i;
    p->d = p->w;
    int j = get(&p->w);
    p->v = j;
    (void)p->v;
    j++; //~ uninitialised
    int ok = j == 3;
    free(p);
    return ok;
}
