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
    struct node *sentinel = malloc(sizeof *sentinel);
    if (!sentinel)
        return 1;
    sentinel->v = 0;
    sentinel->next = sentinel;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        if (!n)
            break;
        n->v = __VERIFIER_nondet_int();
        n->next = sentinel->next;
        sentinel->next = n;
    }
    hw_assert_cyclic(sentinel);
    while (sentinel->next != sentinel) {
        struct node *n = sentinel->next;
        sentinel->next = n->next;
        free(n);
    }
    free(sentinel);
    return 0;
}
