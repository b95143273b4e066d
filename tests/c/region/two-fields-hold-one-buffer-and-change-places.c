//@ engines: region; verdict: unsafe
//@ args: --property heap
// Two records change one of their fields, so that the two fields of a record hold different buffers.
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

int main(int argc, char **argv) {
    struct b *p = mk(), *q = mk();
    char *t = p->c;
    p->c = q->c;
    q->c = t;
    free(p->d);
    struct b *s = argc > 0 ? q : p;
    int r = s->c[0]; //~ use-after-free
    free(q->d); //~ may double-free
    free(p);
    free(q);
    return r;
}
