//@ engines: explicit, overlay; verdict: unknown
#include <stdlib.h>

int main(void) {
    int *p = malloc(sizeof *p);
    if (!p)
        return 0;
    free(p);
    volatile long double tenth = 0.1L;
    if (tenth != 0.1)
        free(p); //~ may double-free
    return 0;
}
