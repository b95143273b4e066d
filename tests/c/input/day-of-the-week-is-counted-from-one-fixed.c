//@ engines: explicit, auto; verdict: safe
#include <time.h>

int main(void)
{
    int visits[7] = { 0 };
    time_t now = time(NULL);
    if (now < 0)
        return 1;
    int day = now / 86400 % 7;
    return visits[day];
}
