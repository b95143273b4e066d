//@ engines: explicit, graph, tvl, auto; verdict: safe
#include <math.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    double outer = 0, inner = 0;
    double *part = &outer;
    if (__VERIFIER_nondet_int())
        part = &inner;
    modf(2.5, part);
    return 0;
}
