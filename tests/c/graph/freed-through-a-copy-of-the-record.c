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
        struct node *next = l->next; //~ use-after-free
        free(l);
        l = next;
    }
}
int main(void)
{
    struct node *l = make();
    if (!l)
        return 0;
    struct node copy = *l;
    drop(l);
    drop(copy.next);
    return 0;
}
