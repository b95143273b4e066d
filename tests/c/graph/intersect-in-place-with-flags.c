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
static int contains(const struct node *l, int v)
{
    for (; l; l = l->next)
        if (l->v == v)
            return 1;
    return 0;
}
int main(void)
{
    struct node *a = make(), *b = make(), *prev = NULL, *p = a;
    while (p != NULL) {
        struct node *next = p->next;
        if (!contains(b, p->v)) {
            if (prev)
                prev->next = next;
            else
                a = next;
            free(p);
        } else
            prev = p;
        p = next;
    }
    drop(a);
    drop(b);
    return 0;
}
