//@ engines: explicit, overlay; verdict: unsafe
//@ args: --property overflow
#include <limits.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int by = __VERIFIER_nondet_int();
    if (by < -1 || by > 1 || by == 0) return 0;
    return INT_MIN / by > 0; //~ overflow
}
