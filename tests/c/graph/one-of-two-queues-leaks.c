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
struct queue { struct node *head; int n; };
int main(void)
{
    struct queue hot = { make(), 0 }, cold = { make(), 0 };
    struct queue *q = __VERIFIER_nondet_int() ? &hot : &cold;
    drop(q->head);
    q->head = NULL;
    drop(hot.head);
    return 0; //~ leak
}
