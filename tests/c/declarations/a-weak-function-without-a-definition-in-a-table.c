//@ engines: explicit, overlay; verdict: unknown
#include <stdlib.h>

__attribute__((weak)) void hook(void *);

static void (*const hooks[])(void *) = {hook, free};

int main(void) {
    int *p = malloc(sizeof *p);
    if (!p)
        return 0;
    free(p);
    if (!hooks[0])
        free(p); //~ may double-free
    return 0;
}
