//@ engines: explicit, tvl; verdict: unsafe
//@ args: --assume-malloc-succeeds
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
    int v;
};

static struct node *g;

static void walk(struct node *p)
{
    struct node *o = g;
    g = p;
    if (p)
        walk(p->next);
    g = o;
}

static void walk2(struct node *p)
{
    struct node *o = g;
    g = p;
    if (p)
        walk2(p->next);
    if (o)
        g = o;
}

int main(void)
{
    struct node *l = 0;
    int k = __VERIFIER_nondet_int();
    while (k-- > 0) {
        struct node *p = malloc(sizeof *p);
        p->next = l;
        p->v = k;
        l = p;
    }
    walk(l);
    if (g)
        *(volatile int *) 0 = 1;
    walk2(l);
    while (l) {
        struct node *t = l->next;
        free(l);
        l = t;
    }
    if (g)
        g->v = 1; //~ use-after-free
    return 0;
}
