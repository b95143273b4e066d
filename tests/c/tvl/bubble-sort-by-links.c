//@ engines: tvl; verdict: safe
/* Neighbours change places through a cursor. */
#include <heapwise.h>
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
struct node { int data; struct node *next; };
static struct node *cons(int d, struct node *t)
{
    struct node *n = malloc(sizeof(struct node));
    if (!n) exit(1);
    n->data = d;
    n->next = t;
    return n;
}
static struct node *build(void)
{
    struct node *l = NULL;
    int k = __VERIFIER_nondet_int();
    for (int i = 0; i < k; i++)
        l = cons(__VERIFIER_nondet_int(), l);
    return l;
}
static void destroy(struct node *l)
{
    while (l) {
        struct node *t = l;
        l = l->next;
        free(t);
    }
}

static struct node *bubble(struct node *l)
{
    int swapped = 1;
    while (swapped) {
        struct node **pp = &l;
        swapped = 0;
        while (*pp && (*pp)->next) {
            struct node *a = *pp, *b = a->next;
            if (a->data > b->data) {
                a->next = b->next;
                b->next = a;
                *pp = b;
                swapped = 1;
            }
            pp = &(*pp)->next;
        }
    }
    return l;
}
int main(void)
{
    struct node *l = build();
    l = bubble(l);
    hw_assert_acyclic(l);
    destroy(l);
    return 0;
}
