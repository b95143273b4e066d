//@ engines: explicit, graph, tvl; verdict: unsafe
//@ args: --assume-malloc-succeeds
#include <stdlib.h>

int main(void)
{
    void *block;
    posix_memalign(&block, 3, 16);
    free(block); //~ uninitialised
    return 0;
}
