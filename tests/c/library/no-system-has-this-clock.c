//@ engines: explicit, tvl; verdict: unsafe
#include <time.h>

int main(void)
{
    struct timespec now;
    clock_gettime(77, &now);
    return now.tv_sec > 3; //~ uninitialised
}
