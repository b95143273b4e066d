//@ engines: explicit; verdict: safe
#include <stdlib.h>
#include <string.h>

int main(void)
{
    const char *mode = getenv("HEAPWISE_MODE");
    if (mode != NULL && strcmp(mode, "on") == 0 && mode[1] != 'n')
        *(volatile int *)NULL = 1;
    return 0;
}
