//@ engines: graph; verdict: safe
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
struct n { struct n *next; };
int main(void)
{
    struct n *l = NULL, *t, *last = NULL;
    while (__VERIFIER_nondet_int()) {
        t = malloc(sizeof *t);
        if (!t) break;
        t->next = l;
        if (!l) last = t;
        l = t;
    }
    if (!last)
        return 0;
    t = l;
    while (t->next && __VERIFIER_nondet_int())
        t = t->next;
    last->next = t;          /* a cycle with a stem */
    last->next = NULL;       /* and open again */
    while (l) { t = l->next; free(l); l = t; }
    return 0;
}
