//@ engines: explicit, graph, tvl, auto; verdict: unsafe
// `strtol` stores a pointer.
#include <stdlib.h>

int main(void)
{
    char **end;
    {
        char *inner;
        end = &inner;
    }
    long number = strtol("12", end, 10); //~ use-after-free
    return number == 0;
}
