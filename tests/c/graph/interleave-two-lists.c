//@ engines: graph; verdict: safe
#include <stdlib.h>
#include "heapwise.h"
int __VERIFIER_nondet_int(void);
struct node { int v; struct node *next; };
static struct node *make(void)
{
    struct node *l = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        if (!n)
            break;
        n->v = __VERIFIER_nondet_int();
        n->next = l;
        l = n;
    }
    return l;
}
static void drop(struct node *l)
{
    while (l) {
        struct node *next = l->next;
        free(l);
        l = next;
    }
}
static struct node *zip(struct node *a, struct node *b)
{
    struct node *head = a;
    if (!a)
        return b;
    while (b) {
        struct node *rest = a->next;
        a->next = b;
        a = b;
        b = rest;
    }
    return head;
}
int main(void)
{
    struct node *a = make(), *b = make();
    a = zip(a, b);
    hw_assert_acyclic(a);
    drop(a);
    return 0;
}
