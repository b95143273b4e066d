//@ engines: explicit, graph, tvl, overlay, refine, auto; verdict: unsafe
#include <stdio.h>

int main(void)
{
    puts((char *)5); //~ null-deref
    return 0;
}
