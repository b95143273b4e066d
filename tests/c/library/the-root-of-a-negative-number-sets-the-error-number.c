//@ engines: explicit, auto; verdict: unsafe
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
    double root = sqrt(-1.0);
    if (errno == EDOM)
        free(p); //~ double-free
    return root == 0;
}
