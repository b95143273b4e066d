//@ engines: graph, tvl; verdict: safe
#include <heapwise.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct small { struct small *next; int v; };
struct large { struct large *next; int v; int w[4]; };

int main(void) {
    struct small *s = NULL, *t = NULL;
    struct large *l = NULL;
    while (__VERIFIER_nondet_int()) {
        struct small *n = malloc(sizeof *n);
        struct large *m = malloc(sizeof *m);
        if (n) {
            if (__VERIFIER_nondet_int()) {
                n->next = s;
                s = n;
            } else {
                n->next = t;
                t = n;
            }
        }
        if (m) {
            m->next = l;
            l = m;
        }
    }
    hw_assert_acyclic(s);
    hw_assert_acyclic(l);
    hw_assert_disjoint(s, t);
    while (s) {
        struct small *next = s->next;
        free(s);
        s = next;
    }
    while (t) {
        struct small *next = t->next;
        free(t);
        t = next;
    }
    while (l) {
        struct large *next = l->next;
        free(l);
        l = next;
    }
    return 0;
}
