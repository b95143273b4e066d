//@ engines: explicit, tvl; verdict: unsafe
//@ args: --assume-malloc-succeeds
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
    int v;
};

static struct node *dup(struct node *l)
{
    if (!l)
        return 0;
    struct node *p = malloc(sizeof *p);
    p->next = dup(l->next);
    return p;
}

static void del(struct node *l)
{
    if (!l)
        return;
    struct node *t = l->next;
    free(l);
    del(t);
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
    struct node *c = dup(l);
    del(l);
    int r = c && c->v == 3; //~ uninitialised
    del(c);
    return r;
}
