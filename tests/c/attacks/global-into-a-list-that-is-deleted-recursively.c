//@ engines: explicit, tvl; verdict: unsafe
//@ args: --assume-malloc-succeeds
#include <stdlib.h>

struct node {
    struct node *next;
};

struct node *cut;

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
    cut = l->next;
    del(l);
    return cut->next != 0; //~ use-after-free
}
