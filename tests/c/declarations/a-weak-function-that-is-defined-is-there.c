//@ engines: explicit, graph, tvl, overlay; verdict: safe
#include <stdlib.h>

__attribute__((weak)) void release(void *p) { free(p); }

int main(void) {
    int *p = malloc(sizeof *p);
    if (release == NULL)
        free(p);
    release(p);
    return 0;
}
