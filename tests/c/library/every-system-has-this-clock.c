//@ engines: explicit, graph, tvl; verdict: safe
#include <sys/time.h>
#include <time.h>

int main(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    struct timeval today;
    gettimeofday(&today, NULL);
    return now.tv_sec > 3 && today.tv_sec > 3;
}
