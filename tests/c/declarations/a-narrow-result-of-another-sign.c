//@ engines: explicit, graph, tvl, overlay; verdict: unknown
//@ with: a-narrow-result-of-another-sign-part.c
// gcc takes the low byte by the sign that the caller declares.
#include <stdlib.h>

signed char level(void);

int main(void) {
    int *p = malloc(sizeof *p);
    if (!p)
        return 0;
    free(p);
    if (level() > 100)
        free(p); //~ may double-free
    return 0;
}
