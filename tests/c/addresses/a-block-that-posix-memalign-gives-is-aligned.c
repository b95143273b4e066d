//@ engines: explicit, auto; verdict: safe
#define _GNU_SOURCE
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>

int main(void)
{
    void *block;
    if (posix_memalign(&block, 64, 100))
        return 0;
    if ((uintptr_t)block & 63) {
        int *nowhere = NULL;
        *nowhere = 1;
    }
    free(block);
    return 0;
}
