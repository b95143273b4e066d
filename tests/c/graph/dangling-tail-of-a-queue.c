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
struct queue { struct node *head, *tail; };
static void put(struct queue *q)
{
    struct node *n = malloc(sizeof *n);
    if (!n)
        return;
    n->v = 0;
    n->next = NULL;
    if (q->tail)
        q->tail->next = n; //~ use-after-free
    else
        q->head = n;
    q->tail = n;
}
static void get(struct queue *q)
{
    struct node *n = q->head;
    if (!n)
        return;
    q->head = n->next;
    free(n);
}
int main(void)
{
    struct queue q = { NULL, NULL };
    put(&q);
    get(&q);
    put(&q);
    drop(q.head);
    return 0;
}
