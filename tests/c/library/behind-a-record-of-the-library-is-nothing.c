//@ engines: explicit; verdict: unknown
// One calendar time is there.
#include <time.h>

int main(void)
{
    time_t zero = 0;
    struct tm *day = gmtime(&zero);
    if (day && day[3].tm_year)
        return 1;
    return 0;
}
