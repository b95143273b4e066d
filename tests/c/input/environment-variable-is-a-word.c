//@ engines: explicit; verdict: unsafe
#include <stdlib.h>
#include <string.h>

int main(void)
{
    const char *mode = getenv("HEAPWISE_MODE");
    if (mode != NULL && strcmp(mode, "on") == 0)
        *(volatile int *)NULL = 1; //~ null-deref
    return 0;
}
