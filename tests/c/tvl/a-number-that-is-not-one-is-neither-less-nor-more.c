//@ engines: explicit, tvl, graph; verdict: unsafe
#include <stdlib.h>
struct node { struct node *next; double value; };
int main(void)
{
    struct node *p = malloc(sizeof *p);
    double zero = 0;
    if (!p)
        return 0;
    p->next = NULL;
    p->value = zero / zero;
    if (!(p->value < 1))
        if (!(p->value >= 1))
            *(int *)0 = 1; //~ null-deref
    free(p);
    return 0;
}
