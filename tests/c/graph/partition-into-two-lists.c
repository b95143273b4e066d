//@ engines: graph; verdict: safe
#include <stdlib.h>
#include "heapwise.h"
int __VERIFIER_nondet_int(void);
struct cell { int v; struct cell *next; };

int main(void)
{
    struct cell *all = NULL, *even = NULL, *odd = NULL, *c;
    while (__VERIFIER_nondet_int()) {
        c = malloc(sizeof(*c));
        if (!c)
            goto done;
        c->v = __VERIFIER_nondet_int();
        c->next = all;
        all = c;
    }
    while (all) {
        c = all;
        all = all->next;
        if (c->v % 2 == 0) {
            c->next = even;
            even = c;
        } else {
            c->next = odd;
            odd = c;
        }
    }
    hw_assert_disjoint(even, odd);
    hw_assert_acyclic(even);
    hw_assert_acyclic(odd);
done:
    while (all) { c = all->next; free(all); all = c; }
    while (even) { c = even->next; free(even); even = c; }
    while (odd) { c = odd->next; free(odd); odd = c; }
    return 0;
}
