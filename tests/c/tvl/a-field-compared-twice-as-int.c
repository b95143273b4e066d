//@ engines: tvl; verdict: safe
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { struct node *next; int v; };
int main(void) {
    struct node *p = malloc(sizeof *p);
    if (!p) return 0;
    p->next = NULL;
    p->v = __VERIFIER_nondet_int();
    int *broken = NULL;
    if (p->v < 5) {
        if (p->v >= 5) *broken = 1;
    }
    free(p);
    return 0;
}
