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
static struct node *sort(struct node *list)
{
    struct node *result = NULL;
    while (list) {
        struct node *min = list, *before = NULL, *p;
        for (p = list; p->next; p = p->next)
            if (p->next->v > min->v) {
                before = p;
                min = p->next;
            }
        if (before)
            before->next = min->next;
        else
            list = min->next;
        min->next = result;
        result = min;
    }
    return result;
}
int main(void)
{
    drop(sort(make()));
    return 0;
}
