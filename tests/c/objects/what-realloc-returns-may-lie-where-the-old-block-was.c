//@ engines: explicit, auto; verdict: unsafe
// The block may grow where it is.
#include <stdlib.h>

struct node { struct node *next; int value; };

int main(void)
{
    struct node *old = malloc(sizeof *old);
    if (!old)
        return 0;
    old->next = 0;
    struct node *grown = realloc(old, 2 * sizeof *old);
    if (!grown) {
        free(old);
        return 0;
    }
    if (old == grown)
        grown->value = *(int *)0; //~ null-deref
    free(grown);
    return 0;
}
