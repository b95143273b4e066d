//@ engines: explicit, auto; verdict: safe
#define _GNU_SOURCE
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>

int main(void)
{
    char *block = valloc(5);
    if (!block)
        return 0;
    if ((uintptr_t)block & 4095) {
        int *nowhere = NULL;
        *nowhere = 1;
    }
    free(block);
    return 0;
}
