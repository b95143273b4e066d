//@ engines: explicit; verdict: safe
#include <time.h>

int main(void)
{
    time_t stored;
    time_t now = time(&stored);
    if (now != stored)
        *(volatile int *)0 = 1;
    return 0;
}
