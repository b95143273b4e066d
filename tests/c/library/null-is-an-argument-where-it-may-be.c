//@ engines: explicit, graph, tvl, overlay, auto; verdict: safe
#include <stdio.h>
#include <stdlib.h>
#include <sys/times.h>
#include <time.h>

int main(void)
{
    perror(NULL);
    times(NULL);
    clock_getres(CLOCK_REALTIME, NULL);
    return system(NULL) != 0;
}
