//@ engines: explicit, overlay, auto; verdict: safe
#include <stdlib.h>

int main(void)
{
    int *p = calloc(1UL << 33, 1UL << 33);
    if (p) {
        p[0] = 1;
        free(p);
    }
    int *q = reallocarray(NULL, 1UL << 33, 1UL << 33);
    if (q) {
        q[0] = 1;
        free(q);
    }
    return 0;
}
