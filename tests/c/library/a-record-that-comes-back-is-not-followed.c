//@ engines: explicit, graph, tvl; verdict: unknown
#include <stdlib.h>

int main(void)
{
    div_t halves = div(7, 2);
    return halves.quot != 3;
}
