//@ engines: tvl; verdict: safe
/* Every m-th node leaves the ring until one is left. */
#include <heapwise.h>
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
struct node { int data; struct node *next; };
static struct node *ring_add(struct node *last, int d)
{
    struct node *n = malloc(sizeof *n);
    if (!n) abort();
    n->data = d;
    if (!last) {
        n->next = n;
        return n;
    }
    n->next = last->next;
    last->next = n;
    return n;
}
static struct node *ring_build(void)
{
    struct node *last = NULL;
    do
        last = ring_add(last, __VERIFIER_nondet_int());
    while (__VERIFIER_nondet_int());
    return last;
}

int main(void)
{
    struct node *p = ring_build();
    int m = __VERIFIER_nondet_int();
    while (p->next != p) {
        for (int i = 1; i < m; i++)
            p = p->next;
        struct node *dead = p->next;
        p->next = dead->next;
        free(dead);
    }
    hw_assert_cyclic(p);
    free(p);
    return 0;
}
