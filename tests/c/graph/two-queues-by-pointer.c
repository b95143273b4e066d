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
struct queue { struct node *head, *tail; };
static void put(struct queue *q, int v)
{
    struct node *n = malloc(sizeof *n);
    if (!n)
        return;
    n->v = v;
    n->next = NULL;
    if (!q->head)
        q->head = n;
    else
        q->tail->next = n;
    q->tail = n;
}
static struct node *get(struct queue *q)
{
    struct node *n = q->head;
    if (n) {
        q->head = n->next;
        if (!q->head)
            q->tail = NULL;
        n->next = NULL;
    }
    return n;
}
int main(void)
{
    struct queue hot = { 0 }, cold = { 0 };
    while (__VERIFIER_nondet_int()) {
        struct queue *q = __VERIFIER_nondet_int() ? &hot : &cold;
        put(q, 1);
    }
    struct node *n;
    while ((n = get(&hot)) != NULL) {
        if (n->v > 0)
            free(n);
        else
            drop(n);
    }
    while ((n = get(&cold)))
        free(n);
    return 0;
}
