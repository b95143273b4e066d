//@ engines: explicit; verdict: unsafe
#include <time.h>

int main(void)
{
    time_t when[1];
    ctime(when); //~ uninitialised
    return 0;
}
