//@ engines: graph; verdict: safe
#include <stdlib.h>
#include "heapwise.h"
int __VERIFIER_nondet_int(void);
struct a { int x; struct a *nxt; };
struct b { struct b *nxt; double w; char name[16]; };

int main(void)
{
    struct a *as = NULL;
    struct b *bs = NULL;
    int n = 0;
    while (__VERIFIER_nondet_int()) {
        struct a *a = malloc(sizeof *a);
        struct b *b = malloc(sizeof *b);
        if (!a || !b) {
            free(a);
            free(b);
            break;
        }
        a->x = n++;
        a->nxt = as;
        as = a;
        b->w = n * 0.5;
        b->name[0] = 0;
        b->nxt = bs;
        bs = b;
    }
    while (as && bs) {
        struct a *a = as->nxt;
        struct b *b = bs->nxt;
        free(as), free(bs);
        as = a;
        bs = b;
    }
    while (as) { struct a *a = as->nxt; free(as); as = a; }
    while (bs) { struct b *b = bs->nxt; free(bs); bs = b; }
    return 0;
}
