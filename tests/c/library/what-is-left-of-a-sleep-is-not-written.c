//@ engines: explicit, tvl; verdict: unsafe
#include <time.h>

int main(void)
{
    struct timespec wanted = { 1, 0 }, left;
    nanosleep(&wanted, &left);
    return left.tv_sec > 3; //~ uninitialised
}
