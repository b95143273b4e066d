//@ engines: tvl; verdict: safe
/* The way back reaches the first node. */
#include <heapwise.h>
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
struct dn { int v; struct dn *next, *prev; };
static struct dn *mk(int v)
{
    struct dn *n = malloc(sizeof *n);
    if (n == NULL) abort();
    n->v = v;
    n->next = n->prev = NULL;
    return n;
}
static struct dn *build(void)
{
    struct dn *h = NULL;
    while (__VERIFIER_nondet_int()) {
        struct dn *n = mk(__VERIFIER_nondet_int());
        n->next = h;
        if (h) h->prev = n;
        h = n;
    }
    return h;
}
static void destroy(struct dn *h)
{
    while (h) {
        struct dn *n = h->next;
        free(h);
        h = n;
    }
}

int main(void)
{
    struct dn *h = build();
    if (h) {
        struct dn *t = h;
        while (t->next) t = t->next;
        hw_assert_reach_by(t, h, prev);
        while (t) {
            struct dn *p = t->prev;
            free(t);
            t = p;
        }
    }
    return 0;
}
