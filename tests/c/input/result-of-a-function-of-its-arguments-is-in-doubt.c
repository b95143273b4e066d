//@ engines: explicit; verdict: clean
#include <time.h>

int main(void)
{
    struct tm *now;
    time_t zero = 0;
    now = gmtime(&zero);
    if (now != 0 && now->tm_mon > 11)
        return 1;
    return 0;
}
