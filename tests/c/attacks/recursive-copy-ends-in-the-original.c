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
    p->v = l->v;
    p->next = l->next ? dup(l->next) : l;
    return p;
}

static void del(struct node *l)
{
    if (!l)
        return;
    struct node *t = l->next; //~ use-after-free
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
    del(c);
    return 0;
}
