//@ engines: explicit, auto; verdict: safe
#include <time.h>

int main(void)
{
    time_t now = time(NULL);
    struct tm broken_down;
    if (!localtime_r(&now, &broken_down))
        return 1;
    return broken_down.tm_year == 100;
}
