//@ engines: explicit, graph, tvl; verdict: unsafe
//@ args: --assume-malloc-succeeds
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
    int *r;
    int v;
};

static int g;

int main(void)
{
    struct node *a = malloc(sizeof *a);
    a->r = __VERIFIER_nondet_int() > 0 ? &g : &a->v;
    a->v = 0;
    *a->r = 1;
    if (g && a->v == 0)
        free(a);
    free(a); //~ double-free
    return 0;
}
