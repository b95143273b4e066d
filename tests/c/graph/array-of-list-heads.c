//@ engines: graph; verdict: unknown
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
#define BUCKETS 4
int main(void)
{
    struct node *table[BUCKETS];
    unsigned i;
    for (i = 0; i < BUCKETS; i++)
        table[i] = NULL;
    for (i = 0; i < 100; i++) {
        struct node *n = malloc(sizeof *n);
        if (!n)
            break;
        n->v = (int)i;
        n->next = table[i % BUCKETS];
        table[i % BUCKETS] = n;
    }
    for (i = 0; i < BUCKETS; i++)
        drop(table[i]);
    return 0;
}
