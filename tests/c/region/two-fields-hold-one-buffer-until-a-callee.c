//@ engines: region; verdict: unsafe
//@ args: --property heap
// A callee sets one of two fields, which held the same, to what another record holds.
#include <stdlib.h>
#include <string.h>
struct b { char *d; char *c; struct b *n; };
static struct b *mk(void) {
    struct b *r = malloc(sizeof *r);
    if (!r) exit(1);
    r->d = malloc(4);
    if (!r->d) exit(1);
    r->c = r->d;
    r->d[0] = 1;
    r->n = 0;
    return r;
}

static void part(struct b *x, struct b *y) {
    y->c = x->d;
    x->d = 0;
    free(x->c);
    x->c = 0;
}

int main(int argc, char **argv) {
    struct b *p = mk(), *q = mk();
    part(p, q);
    int r = q->c[0]; //~ use-after-free
    free(q->d);
    free(p);
    free(q);
    return r;
}
