//@ engines: explicit; verdict: unsafe
#include <time.h>

int main(void)
{
    struct tm day;
    day.tm_year = 100;
    mktime(&day); //~ uninitialised
    return 0;
}
