//@ engines: explicit, tvl, graph; verdict: unsafe
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { struct node *next; signed char c; };
int main(void) {
    struct node *p = malloc(sizeof *p);
    if (!p) return 0;
    p->next = NULL;
    p->c = (signed char)__VERIFIER_nondet_int();
    int *broken = NULL;
    if (p->c < 0) {
        if (*(unsigned char *)&p->c > 0) *broken = 1;  //~ null-deref
    }
    free(p);
    return 0;
}
