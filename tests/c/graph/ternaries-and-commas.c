//@ engines: graph; verdict: safe
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
struct n { int k; struct n *next; };
static struct n *max(struct n *a, struct n *b)
{
    return !a ? b : !b ? a : a->k >= b->k ? a : b;
}
int main(void)
{
    struct n *l = NULL, *m = NULL, *x;
    int i;
    for (i = 0, l = NULL; i < 4 && (x = malloc(sizeof *x)) != NULL; i++)
        x->k = __VERIFIER_nondet_int(), x->next = l, l = x, m = max(m, x);
    if (m && m->k > 10)
        m->k = 10;
    for (; l; l = x)
        x = l->next, free(l);
    return 0;
}
