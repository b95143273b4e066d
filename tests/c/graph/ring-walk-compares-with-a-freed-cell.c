//@ engines: graph; verdict: unsafe
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
    struct node *l = make(), *p, *t;
    if (!l)
        return 0; //~ may leak
    for (p = l; p->next; p = p->next)
        ;
    p->next = l;
    p = l;
    do {
        t = p->next;
        free(p);
        p = t;
        p->v = 1; //~ use-after-free
    } while (p != l);
    return 0; //~ may leak
}
