//@ engines: tvl; verdict: unknown
//@ engines: explicit; verdict: unsafe
/* Callers take it for granted that what a function returns has a value; a contract says nothing of it. */
#include <heapwise.h>
#include <stdlib.h>

struct node {
    struct node *next;
    int v;
};

int set(struct node *l)
{
    hw_requires("acyclic(l)");
    hw_ensures("acyclic(l)");
    int old;
    if (l)
        l->v = 3;
    return old;
}

int main(void)
{
    return set(NULL) > 3; //~ may uninitialised
}
