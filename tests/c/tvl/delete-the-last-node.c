//@ engines: tvl; verdict: safe
/* The loop looks two nodes ahead. */
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

static struct node *pop_back(struct node *l)
{
    if (!l) return NULL;
    if (!l->next) { free(l); return NULL; }
    struct node *p = l;
    while (p->next->next)
        p = p->next;
    free(p->next);
    p->next = NULL;
    return l;
}
int main(void)
{
    struct node *l = build();
    l = pop_back(l);
    l = pop_back(l);
    hw_assert_acyclic(l);
    destroy(l);
    return 0;
}
