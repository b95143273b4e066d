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
    errno = 0;
    double result = log(-1.0);
    if (errno)
        free(p); //~ may double-free
    return result == 0;
}
