//@ engines: explicit, graph, tvl, overlay, refine, auto; verdict: unsafe
#include <stdio.h>

int main(void)
{
    int number = 0;
    scanf("%d", number); //~ null-deref
    return number;
}
