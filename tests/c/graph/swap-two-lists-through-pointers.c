//@ engines: graph; verdict: safe
#include <stdlib.h>
#include "heapwise.h"
int __VERIFIER_nondet_int(void);
struct node { int v; struct node *next; };

static void swap(struct node **a, struct node **b)
{
    struct node *t = *a;
    *a = *b;
    *b = t;
}
static struct node *cons(int v, struct node *next)
{
    struct node *n = malloc(sizeof *n);
    if (!n) { abort(); }
    n->v = v;
    n->next = next;
    return n;
}
static void destroy(struct node *n)
{
    while (n) {
        struct node *next = n->next;
        free(n);
        n = next;
    }
}
int main(void)
{
    struct node *a = NULL, *b = NULL;
    int i = 0;
    do {
        a = cons(i, a);
    } while (++i < __VERIFIER_nondet_int());
    while (__VERIFIER_nondet_int())
        b = cons(i--, b);
    swap(&a, &b);
    hw_assert_disjoint(a, b);
    hw_assert_acyclic(b);
    b->v = 3;
    destroy(a);
    destroy(b);
    return 0;
}
