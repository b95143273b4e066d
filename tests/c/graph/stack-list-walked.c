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
int main(void)
{
    struct node a = { 1, 0 }, b = { 2, &a }, c = { 3, &b };
    int s = 0;
    for (struct node *p = &c; p; p = p->next)
        s += p->v;
    return s;
}
