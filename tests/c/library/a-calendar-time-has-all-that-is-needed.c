//@ engines: explicit; verdict: safe
// The day of the week and of the year are results.
#include <time.h>

int main(void)
{
    struct tm day;
    day.tm_year = 100;
    day.tm_mon = 1;
    day.tm_mday = 2;
    day.tm_hour = day.tm_min = day.tm_sec = 0;
    day.tm_isdst = -1;
    if (mktime(&day) == -1)
        return 1;
    time_t when = 5;
    return ctime(&when) ? 0 : day.tm_wday;
}
