//@ engines: explicit, graph, tvl, overlay; verdict: unsafe
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int status;
    if (__VERIFIER_nondet_int())
        status = 0;
    exit(status); //~ uninitialised
}
