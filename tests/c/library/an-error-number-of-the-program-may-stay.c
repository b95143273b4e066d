//@ engines: explicit, auto; verdict: unknown
#include <errno.h>
#include <math.h>
#include <stdlib.h>

int main(void)
{
    char *p = malloc(1);
    if (!p)
        return 0;
    free(p);
    errno = 1000;
    double result = log(2.0);
    if (errno == 1000)
        free(p); //~ may double-free
    return result == 0;
}
