//@ engines: explicit, auto; verdict: unsafe
#define _GNU_SOURCE
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>

int main(void)
{
    void *block;
    if (posix_memalign(&block, 64, 100))
        return 0;
    if ((uintptr_t)block & 64) {
        int *nowhere = NULL;
        *nowhere = 1; //~ null-deref
    }
    free(block);
    return 0;
}
