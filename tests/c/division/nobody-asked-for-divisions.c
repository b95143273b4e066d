//@ engines: explicit, graph, tvl, overlay; verdict: unsafe
//@ args: --property null-deref
#include <stddef.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    int quotient = 6 / n;
    int *p = NULL;
    return *p + quotient; //~ null-deref
}
