//@ engines: graph; verdict: safe
#include <stdlib.h>
#include <assert.h>
#include "heapwise.h"
int __VERIFIER_nondet_int(void);
typedef struct node node;
typedef node *nodeptr;
struct node { nodeptr next; };

static nodeptr reverse(nodeptr x)
{
    nodeptr y = 0, t;
    while (x)
        t = x->next, x->next = y, y = x, x = t;
    return y;
}

int main(void)
{
    nodeptr x = 0, last = 0;
    while (__VERIFIER_nondet_int()) {
        nodeptr n = malloc(sizeof(node));
        if (!n) break;
        n->next = x;
        if (!last) last = n;
        x = n;
    }
    x = reverse(x);
    assert((x == 0) == (last == 0));
    if (last) {
        assert(x == last);
        hw_assert_reach(x, last);
    }
    hw_assert_acyclic(x);
    for (nodeptr t; x; x = t) {
        t = x->next;
        free(x);
    }
    return 0;
}
