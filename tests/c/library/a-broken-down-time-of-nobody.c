//@ engines: explicit, auto; verdict: unsafe
#include <time.h>

int main(void)
{
    time_t now = time(NULL);
    struct tm *broken_down = NULL;
    localtime_r(&now, broken_down); //~ null-deref
    return 0;
}
