//@ engines: tvl; verdict: safe
//@ args: --assume-malloc-succeeds
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
};

static void app(struct node **l)
{
    if (*l) {
        app(&(*l)->next);
        return;
    }
    *l = malloc(sizeof(struct node));
    (*l)->next = 0;
}

static void del(struct node *l)
{
    if (!l)
        return;
    del(l->next);
    free(l);
}

int main(void)
{
    struct node *l = 0;
    int k = __VERIFIER_nondet_int();
    while (k-- > 0)
        app(&l);
    del(l);
    return 0;
}
