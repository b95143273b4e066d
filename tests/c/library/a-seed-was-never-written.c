//@ engines: explicit, graph, tvl; verdict: unsafe
#include <stdlib.h>

int main(void)
{
    unsigned seed;
    return rand_r(&seed) & 1; //~ uninitialised
}
