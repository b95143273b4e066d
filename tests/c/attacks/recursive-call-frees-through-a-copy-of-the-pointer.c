//@ engines: explicit, tvl; verdict: unsafe
//@ args: --assume-malloc-succeeds
#include <stdlib.h>

struct node {
    struct node *next;
    int v;
};

static void f(struct node **pp, int d)
{
    if (d > 0) {
        struct node *t = *pp;
        f(&t, d - 1);
        return;
    }
    free(*pp);
    *pp = 0;
}

int main(void)
{
    struct node *p = malloc(sizeof *p);
    f(&p, 1);
    p->v = 1; //~ use-after-free
    return 0;
}
