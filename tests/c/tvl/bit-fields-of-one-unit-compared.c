//@ engines: explicit, tvl, graph; verdict: unsafe
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { struct node *next; unsigned a : 4, b : 4; };
int main(void) {
    struct node *p = calloc(1, sizeof *p);
    if (!p) return 0;
    p->next = NULL;
    p->a = __VERIFIER_nondet_int() & 3;
    p->b = 7;
    int *broken = NULL;
    if (p->a < 5) {
        if (p->b >= 5) *broken = 1;  //~ null-deref
    }
    free(p);
    return 0;
}
