//@ engines: explicit, tvl; verdict: unsafe
//@ args: --assume-malloc-succeeds
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
    int v;
};

struct r {
    struct node *p;
    int ok;
};

static struct r find(struct node *l, int v)
{
    struct r x;
    x.ok = 0;
    x.p = 0;
    if (!l)
        return x;
    if (l->v == v) {
        x.p = l;
        x.ok = 1;
        return x;
    }
    return find(l->next, v);
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
    struct r x = find(l, 1);
    while (l) {
        struct node *t = l->next;
        free(l);
        l = t;
    }
    if (x.ok)
        x.p->v = 1; //~ use-after-free
    return 0;
}
