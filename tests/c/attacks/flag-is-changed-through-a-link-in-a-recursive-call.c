//@ engines: explicit, tvl; verdict: unsafe
//@ args: --assume-malloc-succeeds
#include <stdlib.h>

static int flag;
struct node {
    struct node *next;
    int *f;
};

static void g(struct node *q, int d)
{
    if (d > 0)
        g(q, d - 1);
    else *q->f = 9;
}

int main(void)
{
    struct node *p = malloc(sizeof *p);
    p->f = &flag;
    flag = 0;
    g(p, 1);
    if (flag)
        free(p);
    free(p); //~ double-free
    return 0;
}
