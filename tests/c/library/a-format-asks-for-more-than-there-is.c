//@ engines: explicit, graph, tvl, overlay, refine, auto; verdict: unknown
// The first text is there, the second is not: what is read is not known.
#include <stdio.h>

int main(void)
{
    printf("%s %s\n", "one");
    return 0;
}
