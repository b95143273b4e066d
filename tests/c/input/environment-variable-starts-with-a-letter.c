//@ engines: explicit; verdict: unsafe
#include <stdlib.h>

int main(void)
{
    const char *mode = getenv("HEAPWISE_MODE");
    char *p = malloc(1);
    if (mode != NULL && mode[0] == 'x')
        free(p);
    free(p); //~ double-free
    return 0;
}
