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
struct list { struct node *head; int n; };
static struct list push(struct list l, int v)
{
    struct node *n = malloc(sizeof *n);
    if (!n)
        return l;
    n->v = v;
    n->next = l.head;
    l.head = n;
    l.n++;
    return l;
}
int main(void)
{
    struct list l = { NULL, 0 };
    while (__VERIFIER_nondet_int())
        l = push(l, 1);
    drop(l.head);
    return 0;
}
