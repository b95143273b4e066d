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
static void swap(int *a, int *b) { int t = *a; *a = *b; *b = t; }
int main(void)
{
    struct node *l = make(), *p, *q;
    for (p = l; p; p = p->next)
        for (q = p->next; q; q = q->next)
            if (q->v < p->v)
                swap(&p->v, &q->v);
    drop(l);
    return 0;
}
