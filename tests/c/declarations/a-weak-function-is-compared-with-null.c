//@ engines: explicit, graph, tvl, overlay; verdict: unknown
// Nobody defines it: its address is null.
#include <stdlib.h>

extern void hook(void *) __attribute__((weak));

int main(void) {
    int *p = malloc(sizeof *p);
    if (!p)
        return 0;
    free(p);
    if (hook == NULL)
        free(p);
    return 0;
}
