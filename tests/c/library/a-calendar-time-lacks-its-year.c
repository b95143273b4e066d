//@ engines: explicit, auto; verdict: unsafe
//@ engines: graph, tvl; verdict: unsafe
// mktime reads the members that say when, and writes the others.
#include <time.h>

int main(void)
{
    struct tm day;
    day.tm_mon = 1;
    day.tm_mday = 2;
    day.tm_hour = day.tm_min = day.tm_sec = 0;
    day.tm_isdst = -1;
    if (mktime(&day) == -1) //~ uninitialised
        return 1;
    return day.tm_wday;
}
