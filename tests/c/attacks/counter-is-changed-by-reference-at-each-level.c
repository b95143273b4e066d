//@ engines: explicit, tvl; verdict: unsafe
//@ args: --assume-malloc-succeeds
#include <stdlib.h>

struct node {
    struct node *next;
    int v;
};

static int loc(int *x, int d)
{
    int y = *x;
    if (d > 0)
        loc(&y, d - 1);
    *x = y + 1;
    return y;
}

int main(void)
{
    struct node *p = malloc(sizeof *p);
    int x = 0;
    loc(&x, 1);
    if (x)
        free(p);
    if (x == 2)
        free(p); //~ double-free
    return 0;
}
