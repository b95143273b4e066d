//@ engines: region; verdict: safe
//@ args: --property heap
// Two fields hold one buffer: of whichever record the one goes, the other goes, too.
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

static void grow(struct b *x) {
    char *f = malloc(8);
    if (!f) exit(1);
    memcpy(f, x->d, 4);
    free(x->d);
    x->c = x->d = f;
}

int main(int argc, char **argv) {
    struct b *l = 0;
    for (int i = 0; i < 3; i++) {
        struct b *x = mk();
        x->n = l;
        l = x;
    }
    grow(l->n);
    int r = 0;
    while (l) {
        struct b *x = l;
        l = l->n;
        r += x->c[0];
        free(x->d);
        free(x);
    }
    return r;
}
