//@ engines: explicit, graph, tvl, overlay, refine, auto; verdict: unsafe
#include <stdio.h>

int main(void)
{
    printf("%d %s\n", 1, (char *)5); //~ null-deref
    return 0;
}
