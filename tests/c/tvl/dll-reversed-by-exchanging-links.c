//@ engines: tvl; verdict: safe
/* The links of each node are exchanged; the list that is done is found through the way back of the rest alone. */
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
    struct dn *c = h, *head = NULL;
    while (c) {
        struct dn *next = c->next;
        c->next = c->prev;
        c->prev = next;
        head = c;
        c = next;
    }
    return head;
}
int main(void)
{
    struct dn *h = build();
    h = reverse(h);
    hw_assert_dll(h);
    destroy(h);
    return 0;
}
