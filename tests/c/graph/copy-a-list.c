//@ engines: graph; verdict: safe
#include <stdlib.h>
#include "heapwise.h"
int __VERIFIER_nondet_int(void);
struct n { int k; struct n *next; };
static void destroy(struct n *l)
{
    while (l) { struct n *t = l; l = l->next; free(t); }
}
static struct n *copy(const struct n *l)
{
    struct n *head = NULL, *tail = NULL;
    for (; l; l = l->next) {
        struct n *c = malloc(sizeof *c);
        if (!c) { destroy(head); return NULL; }
        c->k = l->k;
        c->next = NULL;
        if (!head) head = c; else tail->next = c;
        tail = c;
    }
    return head;
}
int main(void)
{
    struct n *a = NULL, *b;
    while (__VERIFIER_nondet_int()) {
        struct n *x = malloc(sizeof *x);
        if (!x) { destroy(a); return 1; }
        x->k = __VERIFIER_nondet_int(); x->next = a; a = x;
    }
    b = copy(a);
    hw_assert_disjoint(a, b);
    destroy(b);
    destroy(a);
    return 0;
}
