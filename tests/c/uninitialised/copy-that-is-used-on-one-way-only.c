//@ engines: explicit, graph, tvl, overlay; verdict: unsafe
/* What was read is used on the way on which it was not set since. */
#include <stdlib.h>

struct node {
    struct node *next;
    int v;
};

int main(int argc, char **argv)
{
    struct node *p = malloc(sizeof *p);
    if (!p)
        return 1;
    p->next = NULL;
    int i = p->v, r = 0;
    if (argc > 2)
        i = 2;
    if (argc > 1)
        r = i + 1; //~ uninitialised
    free(p);
    return r;
}
