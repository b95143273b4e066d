//@ engines: explicit, tvl; verdict: unsafe
//@ args: --assume-malloc-succeeds
#include <stdlib.h>

struct node {
    struct node *next;
    int v;
};

struct w {
    int k;
    struct node *l;
};

static void f(struct w w, struct w *o, int d)
{
    if (d > 0) {
        w.k = d;
        f(w, o, d - 1);
        return;
    }
    *o = w;
    free(w.l);
}

int main(void)
{
    struct w a, b;
    a.l = malloc(sizeof *a.l);
    a.k = 0;
    f(a, &b, 1);
    b.l->v = 1; //~ use-after-free
    return 0;
}
