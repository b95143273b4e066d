//@ engines: tvl; verdict: unsafe
/* The last node may be the one that goes. */
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

static struct node *ring_delete(struct node *last, int d)
{
    struct node *prev = last, *cur = last->next;
    while (cur != last && cur->data != d) {
        prev = cur;
        cur = cur->next;
    }
    if (cur->data != d)
        return last;
    if (cur == prev) {
        free(cur);
        return NULL;
    }
    prev->next = cur->next;
    free(cur);
    return last; //~ leak
}
int main(void)
{
    struct node *last = ring_build();
    last = ring_delete(last, 42);
    if (last) {
        hw_assert_cyclic(last); //~ shape
        struct node *p = last->next;
        last->next = NULL;
        while (p) {
            struct node *n = p->next;
            free(p);
            p = n;
        }
    }
    return 0;
}
