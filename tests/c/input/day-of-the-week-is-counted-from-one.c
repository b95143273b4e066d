//@ engines: explicit, auto; verdict: unsafe
// No comparison splits a quotient or a remainder: that the index leaves the array is found in doubt, and then by values of the clock.
#include <time.h>

int main(void)
{
    int visits[7] = { 0 };
    time_t now = time(NULL);
    if (now < 0)
        return 1;
    int day = now / 86400 % 7 + 1;
    return visits[day]; //~ out-of-bounds
}
