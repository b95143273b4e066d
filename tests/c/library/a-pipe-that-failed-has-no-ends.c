//@ engines: explicit, overlay, auto; verdict: unsafe
//@ engines: graph, tvl; verdict: unknown
#include <unistd.h>

int main(void)
{
    int ends[2];
    pipe(ends);
    close(ends[0]);     //~ may uninitialised
    return 0;
}
