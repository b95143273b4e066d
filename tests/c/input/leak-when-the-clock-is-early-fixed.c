//@ engines: explicit; verdict: safe
#include <stdlib.h>
#include <time.h>

int main(void)
{
    time_t now;
    time(&now);
    char *p = malloc(4);
    if (now < 1000) {
        free(p);
        return 0;
    }
    free(p);
    return 0;
}
