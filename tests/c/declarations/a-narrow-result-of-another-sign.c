//@ engines: explicit, graph, tvl, overlay; verdict: unsafe
//@ with: a-narrow-result-of-another-sign-part.c
#include <stdlib.h>

signed char level(void);

int main(void) {
    int *p = malloc(sizeof *p);
    if (!p)
        return 0;
    free(p);
    if (level() > 100)
        free(p); //~ double-free
    return 0;
}
