//@ engines: explicit, tvl, graph; verdict: unsafe
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
union word { int i; unsigned u; };
struct node { struct node *next; union word w; };
int main(void) {
    struct node *p = calloc(1, sizeof *p);
    if (!p) return 0;
    p->next = NULL;
    p->w.i = __VERIFIER_nondet_int();
    int *broken = NULL;
    if (p->w.i < 5) {
        if (p->w.u >= 5u) *broken = 1;  //~ null-deref
    }
    free(p);
    return 0;
}
