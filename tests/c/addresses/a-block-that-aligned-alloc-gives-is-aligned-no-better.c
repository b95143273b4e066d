//@ engines: explicit, auto; verdict: unsafe
#define _GNU_SOURCE
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>

int main(void)
{
    char *block = aligned_alloc(256, 512);
    if (!block)
        return 0;
    if ((uintptr_t)block & 256) {
        int *nowhere = NULL;
        *nowhere = 1; //~ null-deref
    }
    free(block);
    return 0;
}
