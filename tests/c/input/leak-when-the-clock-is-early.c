//@ engines: explicit; verdict: unsafe
#include <stdlib.h>
#include <time.h>

int main(void)
{
    time_t now;
    time(&now);
    char *p = malloc(4);
    if (now < 1000)
        return 0; //~ leak
    free(p);
    return 0;
}
