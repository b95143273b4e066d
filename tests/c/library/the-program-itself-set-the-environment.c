//@ engines: explicit; verdict: unknown
#include <stdlib.h>

int main(void)
{
    if (setenv("MODE", "quick", 1) != 0)
        return 0;
    char *mode = getenv("MODE");
    int *p = malloc(sizeof *p);
    if (p == NULL)
        return 0;
    free(p);
    if (mode == NULL || mode[0] != 'q')
        free(p); //~ may double-free
    return 0;
}
