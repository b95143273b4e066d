//@ engines: explicit, graph, tvl, overlay; verdict: unknown
// Nobody defines it: its address is null.
#include <stdlib.h>

__attribute__((weak)) void hook(void *);

int main(void) {
    int *p = malloc(sizeof *p);
    if (!p)
        return 0;
    free(p);
    if (!hook)
        free(p);
    return 0;
}
