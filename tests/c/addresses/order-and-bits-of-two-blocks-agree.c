//@ engines: explicit, overlay; verdict: unknown
#include <stdint.h>
#include <stdlib.h>
int main(void)
{
    char *p = malloc(10), *r = malloc(10);
    int *q = 0, result = 0;
    if (p && r) {
        int is_below = p < r;
        int is_less = ((uintptr_t)p >> 1) * 2 < ((uintptr_t)r >> 1) * 2;
        result = is_below == is_less ? 0 : *q; //~ may null-deref
    }
    free(p);
    free(r);
    return result;
}
