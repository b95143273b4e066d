//@ engines: explicit, tvl; verdict: unsafe
//@ args: --assume-malloc-succeeds
#include <stdlib.h>

struct node {
    struct node *next;
    int v;
};

static struct node *g;

static void f(int d)
{
    struct node l;
    l.next = 0;
    if (d > 0) {
        f(d - 1);
        return;
    }
    l.next = malloc(sizeof(struct node));
    l.next->next = &l;
    g = l.next;
}

int main(void)
{
    f(1);
    int r = g->next->v == 3; //~ use-after-free
    free(g);
    return r;
}
