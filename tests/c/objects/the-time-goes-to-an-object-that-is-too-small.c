//@ engines: explicit, graph, tvl, auto; verdict: unsafe
// The object is alive, and has not enough bytes.
#include <time.h>

int main(void)
{
    int seconds = 0;
    time((time_t *)&seconds); //~ out-of-bounds
    return seconds < 0;
}
