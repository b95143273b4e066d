//@ engines: explicit; verdict: safe
#include <stdint.h>

int main(void)
{
    int i = 1;
    if (((uintptr_t)&i & 3) != 0)
        *(volatile int *)0 = 1;
    return i;
}
