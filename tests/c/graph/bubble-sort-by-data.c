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
    struct node *head = make(), *end = NULL;
    int swapped;
    if (head == NULL)
        return 0;
    do {
        struct node *p = head;
        swapped = 0;
        while (p->next != end) {
            if (p->v > p->next->v) {
                int t = p->v;
                p->v = p->next->v;
                p->next->v = t;
                swapped = 1;
            }
            p = p->next;
        }
        end = p;
    } while (swapped);
    drop(head);
    return 0;
}
