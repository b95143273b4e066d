//@ engines: graph; verdict: safe
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
struct n { int k; struct n *next; };
static struct n *drop_last(struct n *l)
{
    struct n *p, *q;
    if (!l) return l;
    for (p = NULL, q = l; q->next; p = q, q = q->next);
    free(q);
    if (p) { p->next = NULL; return l; }
    return NULL;
}
static struct n *drop_first(struct n *l)
{
    struct n *r = l ? l->next : NULL;
    free(l);
    return r;
}
int main(void)
{
    struct n *l = NULL;
    while (__VERIFIER_nondet_int()) {
        struct n *x = malloc(sizeof *x);
        if (x) { x->k = 0; x->next = l; l = x; }
    }
    while (l)
        l = __VERIFIER_nondet_int() ? drop_last(l) : drop_first(l);
    return 0;
}
