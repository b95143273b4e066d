//@ engines: graph; verdict: safe
#include <stdlib.h>
#include "heapwise.h"
int __VERIFIER_nondet_int(void);
struct node { int v; struct node *next; };

static struct node *mk(int n)
{
    struct node *h = NULL;
    while (n-- > 0) {
        struct node *p = malloc(sizeof(struct node));
        if (p == NULL) return h;
        p->v = n; p->next = h; h = p;
    }
    return h;
}
static struct node *append(struct node *a, struct node *b)
{
    struct node *p;
    if (a == NULL)
        return b;
    for (p = a; p->next != NULL; p = p->next)
        ;
    p->next = b;
    return a;
}
int main(void)
{
    struct node *a = mk(__VERIFIER_nondet_int());
    struct node *b = mk(__VERIFIER_nondet_int());
    struct node *mid = b;
    hw_assert_disjoint(a, b);
    a = append(a, b);
    if (mid)
        hw_assert_reach(a, mid);
    hw_assert_acyclic(a);
    while (a != NULL) {
        b = a;
        a = a->next;
        free(b);
    }
    return 0;
}
