//@ engines: tvl; verdict: unsafe
/* The node before a new one never leads to it. */
#include <heapwise.h>
#include <stdlib.h>
int __VERIFIER_nondet_int(void);

struct dn { int v; struct dn *next, *prev; };
int main(void)
{
    struct dn s;
    s.v = 0;
    s.next = s.prev = &s;
    while (__VERIFIER_nondet_int()) {
        struct dn *n = malloc(sizeof *n);
        if (!n) break;
        n->v = 1;
        n->prev = s.prev;
        n->next = &s;
        s.prev = n;
    }
    hw_assert_dll(&s); //~ shape
    struct dn *p = s.next;
    while (p != &s) {
        struct dn *nx = p->next;
        free(p);
        p = nx;
    }
    return 0;
}
