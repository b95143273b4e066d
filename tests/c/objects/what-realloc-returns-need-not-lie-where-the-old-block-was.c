//@ engines: explicit, auto; verdict: unsafe
// The block may move as well, and a pointer into the old one is then of no use.
#include <stdlib.h>

int main(void)
{
    int *old = malloc(sizeof *old);
    if (!old)
        return 0;
    *old = 1;
    int *grown = realloc(old, 2 * sizeof *old);
    if (!grown) {
        free(old);
        return 0;
    }
    if (old != grown)
        *grown = *(int *)0; //~ null-deref
    free(grown);
    return 0;
}
