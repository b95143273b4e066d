//@ engines: tvl; verdict: safe
/* The right subtree is hung below the left one, the root is freed. */
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct t { struct t *l, *r; int v; };
int main(void) {
    struct t *root = 0;
    while (__VERIFIER_nondet_int()) {
        int v = __VERIFIER_nondet_int();
        struct t *n = malloc(sizeof(struct t));
        if (!n) break;
        n->v = v; n->l = 0; n->r = 0;
        if (!root) root = n;
        else {
            struct t *c = root, *p = 0; int left = 0;
            while (c) { p = c; left = v < c->v; c = left ? c->l : c->r; }
            if (left) p->l = n; else p->r = n;
        }
    }
    struct t *c = root;
    while (c) {
        struct t *l = c->l;
        if (l) { struct t *m = l; while (m->r) m = m->r; m->r = c->r; c->r = 0; c->l = 0; free(c); c = l; }
        else { struct t *r = c->r; free(c); c = r; }
    }
    return 0;
}
