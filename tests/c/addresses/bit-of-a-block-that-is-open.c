//@ engines: explicit, overlay; verdict: unsafe
// Where the block lies decides it, and is among the choices.
#include <stdint.h>
#include <stdlib.h>
int main(void)
{
    char *p = malloc(10);
    int *q = 0;
    if (!p)
        return 0;
    if ((uintptr_t)p & 0x10)
        return *q; //~ null-deref
    free(p);
    return 0;
}
