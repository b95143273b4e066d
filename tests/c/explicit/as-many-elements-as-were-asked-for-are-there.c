//@ engines: explicit; verdict: clean
#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned k = __VERIFIER_nondet_uint();
    if (k > 1000)
        return 0;
    int *a = malloc(k * sizeof *a);
    if (!a)
        return 0;
    for (unsigned i = 0; i < k; i++)
        a[i] = 0;
    free(a);
    return 0;
}
