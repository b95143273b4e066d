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
static struct node *const *find(struct node *const *head, int v)
{
    return (*head)->v == v ? head : NULL;
}
int main(void)
{
    struct node *l = make();
    if (l) {
        struct node *const *f = find(&l, 3);
        if (f)
            (*f)->v = 4;
    }
    drop(l);
    return 0;
}
