//@ engines: tvl; verdict: safe
/* As before, and the variable that remembers is one node behind. */
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

static struct dn *reverse(struct dn *h)
{
    struct dn *t = NULL;
    struct dn *c = h;
    while (c != NULL) {
        t = c->prev;
        c->prev = c->next;
        c->next = t;
        c = c->prev;
    }
    if (t != NULL) h = t->prev;
    return h;
}
int main(void)
{
    struct dn *h = build();
    h = reverse(h);
    hw_assert_dll(h);
    destroy(h);
    return 0;
}
