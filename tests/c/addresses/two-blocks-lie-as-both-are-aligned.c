//@ engines: explicit, auto; verdict: unknown
// Behind a block of a multiple of 64 bytes that is aligned to 64 lies another place that is.
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>

int main(void)
{
    char *first = memalign(32, 32), *second = memalign(64, 64);
    if (first && second && second + 64 == first && ((uintptr_t)first & 63)) {
        int *nowhere = NULL;
        *nowhere = 1; //~ may null-deref
    }
    free(first);
    free(second);
    return 0;
}
