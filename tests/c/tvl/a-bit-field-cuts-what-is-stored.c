//@ engines: explicit, tvl, graph; verdict: unsafe
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { struct node *next; unsigned a : 4, b : 4; };
int main(void) {
    struct node *p = calloc(1, sizeof *p);
    if (!p) return 0;
    p->next = NULL;
    int x = __VERIFIER_nondet_int();
    p->b = 0;
    p->a = x;
    int *broken = NULL;
    if (x > 20) {
        if (p->a < 20) *broken = 1;  //~ null-deref
    }
    free(p);
    return 0;
}
