//@ engines: explicit, tvl; verdict: unsafe
//@ args: --assume-malloc-succeeds
#include <stdlib.h>

struct node {
    struct node *next;
    int v;
};

static void f(struct node *(*a)[2], int d)
{
    if (d > 0) {
        f(a, d - 1);
        return;
    }
    free((*a)[1]);
}

int main(void)
{
    struct node *a[2];
    a[0] = malloc(sizeof **a);
    a[1] = a[0];
    f(&a, 1);
    a[0]->v = 1; //~ use-after-free
    return 0;
}
