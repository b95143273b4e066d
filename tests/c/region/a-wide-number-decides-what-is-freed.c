//@ engines: explicit, graph, region, overlay, auto; verdict: unsafe
// The greatest number of 16 bytes is above the others.
#include <stdlib.h>

int main(void)
{
    unsigned __int128 most = ~(unsigned __int128)0;
    int *p = malloc(sizeof *p);
    if (!p)
        return 0;
    *p = 1;
    if (most > 5)
        free(p);
    free(p);   //~ double-free
    return 0;
}
