//@ engines: explicit; verdict: safe
//@ args: --assume-malloc-succeeds
#include <stdlib.h>

int main(void)
{
    void *block;
    if (posix_memalign(&block, 64, 16) == 0)
        free(block);
    return 0;
}
