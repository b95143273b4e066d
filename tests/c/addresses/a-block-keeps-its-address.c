//@ engines: explicit, overlay; verdict: unknown
// Whatever the address is, it is the same twice.
#include <stdint.h>
#include <stdlib.h>
int main(void)
{
    char *p = malloc(10);
    int *q = 0;
    if (!p)
        return 0;
    int first = (uintptr_t)p % 32 != 0;
    int second = ((uintptr_t)p & 0x10) != 0;
    free(p);
    return first == second ? 0 : *q; //~ may null-deref
}
