//@ engines: explicit, tvl; verdict: unsafe
//@ args: --assume-malloc-succeeds
#include <stdlib.h>

struct node {
    struct node *next;
    int v;
};

static void two(struct node **x, struct node **y, int d)
{
    if (d > 0) {
        two(y, x, d - 1);
        return;
    }
    *x = *y; //~ leak
}

int main(void)
{
    struct node *a = malloc(sizeof *a), *b = malloc(sizeof *b);
    two(&a, &b, 1);
    free(a);
    free(b); //~ double-free
    return 0;
}
