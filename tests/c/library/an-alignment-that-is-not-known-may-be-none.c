//@ engines: explicit; verdict: unsafe
//@ args: --assume-malloc-succeeds
#include <stdlib.h>

int main(int argc, char **argv)
{
    void *block;
    if (argc < 1)
        return 0;
    posix_memalign(&block, argc < 2 ? 24 : 32, 16);
    free(block); //~ uninitialised
    return 0;
}
