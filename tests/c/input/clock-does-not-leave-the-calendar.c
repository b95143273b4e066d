//@ engines: explicit, auto; verdict: safe
#include <time.h>

int main(void)
{
    time_t now = time(NULL);
    if (now > 253402300799) {
        int *nowhere = 0;
        return *nowhere;
    }
    return 0;
}
