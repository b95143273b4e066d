//@ engines: graph; verdict: unsafe
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
static struct node *list;
static int valid;
static void set(int *p, int v) { *p = v; }
int main(void)
{
    list = make();
    set(&valid, 1);
    drop(list);
    if (valid && list)
        list->v = 1; //~ use-after-free
    return 0;
}
