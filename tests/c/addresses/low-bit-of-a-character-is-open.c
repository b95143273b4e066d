//@ engines: explicit; verdict: unknown
#include <stdint.h>

int main(void)
{
    char c = 1;
    if (((uintptr_t)&c & 1) != 0)
        *(volatile int *)0 = 1;
    return c;
}
