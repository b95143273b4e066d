//@ engines: explicit, graph, tvl; verdict: safe
#include <stdlib.h>

int main(void)
{
    unsigned seed = 7;
    int first = rand_r(&seed);
    return (int)(seed & 1) + (first & 1) > 2;
}
