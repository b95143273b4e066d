//@ engines: explicit, graph, auto; verdict: unknown
// What a file that is no C means is not known, so what a run shows may not happen.
#include <stddef.h>

int unknown = not_declared;

int main(void)
{
    int *nowhere = NULL;
    *nowhere = 1; //~ may null-deref
    return 0;
}
