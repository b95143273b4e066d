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
struct it { struct node **at; };
int main(void)
{
    struct node *l = make();
    struct it it = { &l };
    while (*it.at && __VERIFIER_nondet_int())
        it.at = &(*it.at)->next;
    drop(l);
    if (*it.at) //~ use-after-free
        return 1;
    return 0;
}
