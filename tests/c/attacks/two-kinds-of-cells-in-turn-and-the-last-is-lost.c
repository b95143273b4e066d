//@ engines: explicit, tvl; verdict: unsafe
//@ args: --assume-malloc-succeeds
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

struct a {
    struct b *x;
    int v;
};

struct b {
    struct a *y;
    int w;
};

int main(void)
{
    struct a *l = 0;
    int k = __VERIFIER_nondet_int();
    while (k-- > 0) {
        struct b *q = malloc(sizeof *q);
        q->y = l;
        struct a *p = malloc(sizeof *p);
        p->x = q;
        l = p;
    }while (l) {
        struct b *q = l->x;
        struct a *n = q->y;
        free(l);
        if (!n)
            break; //~ leak
        free(q);
        l = n;
    }
    return 0;
}
