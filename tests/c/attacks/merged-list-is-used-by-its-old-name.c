//@ engines: explicit, graph, tvl; verdict: unsafe
//@ args: --assume-malloc-succeeds
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
    int v;
};

static struct node *merge(struct node *a, struct node *b)
{
    if (!a)
        return b;
    if (!b)
        return a;
    if (a->v < b->v) {
        a->next = merge(a->next, b);
        return a;
    }
    b->next = merge(a, b->next);
    return b;
}

static struct node *mk(int k)
{
    struct node *l = 0;
    while (k-- > 0) {
        struct node *p = malloc(sizeof *p);
        p->next = l;
        p->v = k;
        l = p;
    }
    return l;
}

int main(void)
{
    struct node *a = mk(__VERIFIER_nondet_int()), *b = mk(__VERIFIER_nondet_int());
    struct node *m = merge(a, b);
    while (m) {
        struct node *t = m->next;
        free(m);
        m = t;
    }
    if (b && !a)
        return b->v; //~ use-after-free
    return 0;
}
