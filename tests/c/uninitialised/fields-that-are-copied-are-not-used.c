//@ engines: explicit, graph, tvl, overlay; verdict: safe
/* Numbers without a value go from a field to a variable, back, through a call and to another type: none is used. */
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
    p->v = 3;
    int ok = p->v > 2;
    free(p);
    return ok;
}
