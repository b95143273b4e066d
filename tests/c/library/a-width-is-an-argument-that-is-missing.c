//@ engines: explicit, graph, tvl, overlay, refine, auto; verdict: unknown
#include <stdio.h>

int main(void)
{
    fprintf(stderr, "%*d\n", 3);
    return 0;
}
