//@ engines: explicit, graph, tvl, overlay; verdict: unsafe
#include <stdlib.h>
struct node { struct node *next, *other; int value; };
int main(void)
{
    struct node *p = malloc(sizeof *p);
    if (!p)
        return 0;
    struct node self = { NULL, p, 0 };
    *p = self;
    struct node *other = p->other;
    free(p);
    other->value = 1; //~ use-after-free
    return 0;
}
