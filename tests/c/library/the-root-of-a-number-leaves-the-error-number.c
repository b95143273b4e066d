//@ engines: explicit, auto; verdict: safe
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *p = malloc(1);
    if (!p)
        return 0;
    free(p);
    errno = 0;
    double root = sqrt(4.0);
    if (root != 2.0 || strlen("four") != 4 || strtol("4", NULL, 10) != 4)
        return 1;
    if (errno)
        free(p);
    return 0;
}
