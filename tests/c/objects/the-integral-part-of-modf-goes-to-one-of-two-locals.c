//@ engines: explicit, graph, tvl, auto; verdict: unsafe
// Only one of the addresses that the library is given dangles.
#include <math.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    double outer = 0;
    double *part = &outer;
    if (__VERIFIER_nondet_int()) {
        double inner = 0;
        part = &inner;
    }
    modf(2.5, part); //~ use-after-free
    return 0;
}
