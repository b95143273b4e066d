//@ engines: explicit, tvl; verdict: unsafe
//@ args: --assume-malloc-succeeds
#include <stdlib.h>

struct node {
    struct node *next;
    int v;
};

static void del(struct node *l)
{
    if (!l)
        return;
    del(l->next);
    free(l);
}

int main(void)
{
    struct node *l = malloc(sizeof *l);
    l->next = malloc(sizeof *l);
    l->next->next = 0;
    struct node *h = malloc(sizeof *h);
    h->next = l->next;
    h->v = 1;
    del(l);
    int r = h->next->v; //~ use-after-free
    free(h);
    return 0;
}
