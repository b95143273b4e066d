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
static struct node *cell(int v) { struct node *n = calloc(1, sizeof *n); if (n) n->v = v; return n; }
static struct node **tail_of(struct node **l) { while (*l) l = &(*l)->next; return l; }
int main(void)
{
    struct node *l = NULL;
    for (int i = 0; i < 3; i++) {
        struct node *n = cell(i);
        if (!n)
            break;
        *tail_of(&l) = n;
    }
    drop(l);
    return 0;
}
