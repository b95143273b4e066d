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
static struct node *registry;
static int n_entries;
static int initialised;

static void setup(void)
{
    if (initialised)
        return;
    registry = NULL;
    n_entries = 0;
    initialised = 1;
}
static int enter(int v)
{
    struct node *n;
    setup();
    if (n_entries >= 16)
        return -1;
    n = malloc(sizeof *n);
    if (!n)
        return -1;
    n->v = v;
    n->next = registry;
    registry = n;
    n_entries++;
    return 0;
}
int main(void)
{
    while (__VERIFIER_nondet_int())
        if (enter(__VERIFIER_nondet_int()) < 0)
            break;
    drop(registry);
    registry = NULL;
    return 0;
}
