//@ engines: explicit; verdict: unsafe
#include <stdint.h>

int main(void)
{
    char c = 1;
    if (((uintptr_t)&c & 1) != 0)
        *(volatile int *)0 = 1; //~ null-deref
    return c;
}
