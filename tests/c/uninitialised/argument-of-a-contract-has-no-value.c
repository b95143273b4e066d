//@ engines: tvl; verdict: unknown
//@ engines: explicit; verdict: unsafe
/* A contract says nothing of numbers: that an argument has a value is taken for granted in the body. */
#include <heapwise.h>
#include <stdlib.h>

struct node {
    struct node *next;
    int v;
};

int count(struct node *l, int from)
{
    hw_requires("acyclic(l)");
    hw_ensures("acyclic(l)");
    hw_ensures("forall v: reach(l, v) <==> old(reach(l, v))");
    if (from > 3) //~ may uninitialised
        from = 0;
    while (l) {
        from++;
        l = l->next;
    }
    return from;
}

int main(void)
{
    int from;
    return count(NULL, from) > 3;
}
