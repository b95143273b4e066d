//@ engines: explicit, tvl; verdict: unsafe
//@ args: --assume-malloc-succeeds
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
    int v;
};

static struct node *t[2];

int main(void)
{
    int i = __VERIFIER_nondet_int() & 1;
    t[i] = malloc(sizeof(struct node));
    t[i]->v = 0;
    t[!i] = t[i];
    free(t[0]);
    return t[1]->v; //~ use-after-free
}
