//@ engines: explicit; verdict: safe
#include <stdlib.h>

int main(void)
{
    const char *mode = getenv("HEAPWISE_MODE");
    char *p = malloc(1);
    if (mode != NULL && mode[0] == 'x' && mode[0] == 'y')
        free(p);
    free(p);
    return 0;
}
