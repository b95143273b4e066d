//@ engines: refine; verdict: safe
#include <stdlib.h>
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
struct n { int c; struct n *next; };
int main(void) {
    struct n *h = NULL; int c = 0;
    while (__VERIFIER_nondet_int()) {
        struct n *x = malloc(sizeof *x);
        if (!x) break;
        x->c = c; x->next = h; h = x;
        if (c == 2) c = 0; else c++;
    }
    for (struct n *p = h; p; p = p->next) {
        assert(p->c >= 0 && p->c <= 2);
        if (p->c == 0 && p->next) assert(p->next->c == 2);
    }
    while (h) { struct n *x = h; h = h->next; free(x); }
    return 0;
}
