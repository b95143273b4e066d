//@ engines: tvl; verdict: safe
/* Nodes change places two by two, behind a node on the stack. */
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

static struct node *swap_pairs(struct node *l)
{
    struct node dummy = { 0, l };
    struct node *prev = &dummy;
    while (prev->next && prev->next->next) {
        struct node *a = prev->next;
        struct node *b = a->next;
        a->next = b->next;
        b->next = a;
        prev->next = b;
        prev = a;
    }
    return dummy.next;
}
int main(void)
{
    struct node *l = build();
    l = swap_pairs(l);
    hw_assert_acyclic(l);
    destroy(l);
    return 0;
}
