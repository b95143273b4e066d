//@ engines: explicit; verdict: safe
#include <stdint.h>
#include <stdlib.h>

int main(void)
{
    char *p = malloc(3);
    if (p != NULL && ((uintptr_t)p & 15) != 0)
        *(volatile int *)0 = 1;
    free(p);
    return 0;
}
