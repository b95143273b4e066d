//@ engines: explicit, graph, tvl, overlay; verdict: unknown
// Nobody defines it: its address is null.
#include <stdlib.h>

struct options { int verbose, depth; };
extern struct options options __attribute__((weak));

int main(void) {
    int *p = malloc(sizeof *p);
    if (!p)
        return 0;
    int has_options = &options != 0;
    if (!has_options)
        *p = options.depth;
    free(p);
    return 0;
}
