//@ engines: explicit, tvl; verdict: unsafe
//@ args: --assume-malloc-succeeds
#include <stdlib.h>

struct node {
    struct node *next;
    int v;
};

static struct node *a, *b, *c, *e;

static void del(struct node *p)
{
    if (!p)
        return;
    del(p->next);
    free(p);
}

int main(void)
{
    struct node *l = 0;
    for (int i = 0; i < 5; i++) {
        struct node *p = malloc(sizeof *p);
        p->next = l;
        l = p;
        if (i == 0)
            a = p;
        if (i == 1)
            b = p;
        if (i == 2)
            c = p;
        if (i == 3)
            e = p;
    }
    struct node *s = l->next->next;
    del(l);
    return s->v == e->v; //~ use-after-free
}
