//@ engines: explicit, graph, overlay; verdict: unsafe
//@ with: a-weak-alias-gives-way-to-a-definition-part.c
#include <stdlib.h>

static void keeps(int *p) { (void)p; }

void release(int *p) __attribute__((weak, alias("keeps")));

int main(void) {
    int *p = malloc(sizeof *p);
    if (!p)
        return 0;
    release(p);
    free(p); //~ double-free
    return 0;
}
