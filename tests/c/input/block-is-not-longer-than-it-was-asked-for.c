//@ engines: explicit; verdict: safe
#include <stdio.h>

int main(void)
{
    char block[8];
    size_t n = fread(block, 1, sizeof block, stdin);
    if (n > sizeof block)
        *(volatile int *)NULL = 1;
    return 0;
}
