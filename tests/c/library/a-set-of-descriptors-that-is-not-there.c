//@ engines: explicit; verdict: unsafe
#include <stdlib.h>
#include <sys/select.h>

int main(void)
{
    fd_set ready;
    FD_ZERO(&ready);
    FD_SET(0, &ready);
    int *p = malloc(sizeof *p);
    if (p == NULL)
        return 0;
    if (select(1, &ready, NULL, NULL, NULL) <= 0)
        free(p);
    free(p); //~ double-free
    return 0;
}
