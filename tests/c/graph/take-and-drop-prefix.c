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
static struct node *take(struct node **l, int n)
{
    struct node *head = *l, *p = head;
    if (n <= 0 || head == NULL)
        return NULL;
    while (--n > 0 && p->next)
        p = p->next;
    *l = p->next;
    p->next = NULL;
    return head;
}
int main(void)
{
    struct node *l = make();
    struct node *a = take(&l, __VERIFIER_nondet_int());
    struct node *b = take(&l, 2);
    hw_assert_disjoint(a, b);
    hw_assert_disjoint(b, l);
    drop(a);
    drop(b);
    drop(l);
    return 0;
}
