//@ engines: explicit, graph, tvl, overlay, refine; verdict: unsafe
#include <stdlib.h>
int main(void)
{
    int n = 0;
again:;
    char *x; //~ leak
    if (n == 1)
        return 0;
    x = malloc(4);
    if (!x)
        return 0;
    n = 1;
    goto again;
}
