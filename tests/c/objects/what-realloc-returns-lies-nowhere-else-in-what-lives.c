//@ engines: explicit; verdict: safe
// Neither the block that stays nor one of another life is where the new one is.
#include <stdlib.h>

int main(void)
{
    int *other = malloc(sizeof *other), *old = malloc(sizeof *old);
    if (!old || !other) {
        free(old);
        free(other);
        return 0;
    }
    *old = 1;
    int *grown = realloc(old, 2 * sizeof *old);
    if (!grown) {
        free(old);
        free(other);
        return 0;
    }
    if (other == grown)
        *grown = *(int *)0;
    int *moved = realloc(grown, 3 * sizeof *grown);
    if (!moved) {
        if (other == grown)
            *grown = *(int *)0;
        free(grown);
        free(other);
        return 0;
    }
    if (other == moved)
        *moved = *(int *)0;
    free(moved);
    free(other);
    return 0;
}
