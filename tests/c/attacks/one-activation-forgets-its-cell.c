//@ engines: explicit, tvl; verdict: unsafe
//@ args: --assume-malloc-succeeds
#include <stdlib.h>

struct node {
    struct node *next;
    int v;
};

static void walk(int d)
{
    struct node me;
    me.next = malloc(sizeof(struct node));
    me.next->next = 0;
    if (d > 0)
        walk(d - 1);
    if (d != 1)
        free(me.next);
}  //~ leak

int main(void)
{
    walk(2);
    return 0;
}
