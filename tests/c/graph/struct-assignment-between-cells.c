//@ engines: graph; verdict: safe
/* The classic trick: delete a cell by copying its successor over it. */
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
struct n { int k; struct n *next; };
int main(void)
{
    struct n *l = NULL, *p, *t;
    while (__VERIFIER_nondet_int()) {
        p = malloc(sizeof *p);
        if (!p) break;
        p->k = __VERIFIER_nondet_int(); p->next = l; l = p;
    }
    for (p = l; p && p->next; p = p->next)
        if (p->k < 0) {
            t = p->next;
            *p = *t;
            free(t);
        }
    while (l) { p = l->next; free(l); l = p; }
    return 0;
}
