//@ engines: explicit, graph, tvl, overlay, refine, auto; verdict: unsafe
#include <stdio.h>

int main(void)
{
    printf("%s\n", (char *)0); //~ null-deref
    return 0;
}
