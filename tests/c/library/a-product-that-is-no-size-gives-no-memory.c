//@ engines: explicit, overlay; verdict: unsafe
#include <stdlib.h>

int main(void)
{
    int *p = calloc(1UL << 33, 1UL << 33);
    return *p; //~ null-deref
}
