//@ engines: explicit, tvl; verdict: unsafe
//@ args: --assume-malloc-succeeds
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
    int v;
};

static void d2(struct node *p, struct node **out)
{
    if (!p) {
        *out = 0;
        return;
    }
    struct node *rest;
    d2(p->next, &rest);
    p->next = rest;
    if (p->v) {
        *out = p;
    } else {
        free(p);
        *out = rest;
    }
}

int main(void)
{
    struct node *l = 0;
    int k = __VERIFIER_nondet_int();
    while (k-- > 0) {
        struct node *p = malloc(sizeof *p);
        p->next = l;
        p->v = __VERIFIER_nondet_int();
        l = p;
    }
    struct node *o;
    d2(l, &o);
    while (o) {
        struct node *t = o->next;
        free(o);
        o = t;
    }
    if (l)
        return l->v; //~ use-after-free
    return 0;
}
