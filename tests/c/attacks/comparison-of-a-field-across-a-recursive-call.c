//@ engines: explicit, tvl; verdict: unsafe
//@ args: --assume-malloc-succeeds
#include <stdlib.h>

struct node {
    struct node *next;
    int v;
};

static int f(struct node *p, int d)
{
    int r = p->v < 5;
    if (d > 0) {
        f(p, d - 1);
    } else p->v = 9;
    if ((p->v < 5) != r)
        *(volatile int *) 0 = 1; //~ null-deref
    return r;
}

int main(void)
{
    struct node *p = malloc(sizeof *p);
    p->v = 1;
    f(p, 1);
    free(p);
    return 0;
}
