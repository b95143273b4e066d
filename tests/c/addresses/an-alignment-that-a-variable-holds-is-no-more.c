//@ engines: explicit; verdict: unsafe
#include <stdint.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    size_t alignment = argc > 1 ? 64 : 32;
    void *p;
    if (posix_memalign(&p, alignment, 100) != 0)
        return 0;
    if ((uintptr_t)p % 64 != 0)
        *(int *)NULL = 1; //~ null-deref
    free(p);
    return 0;
}
