//@ engines: explicit; verdict: safe
#include <stdio.h>

int main(void)
{
    char block[8] = {0};
    size_t n = fread(block, 2, 4, stdin);
    if (block[7] == 'x' && n != 4)
        *(volatile int *)NULL = 1;
    return 0;
}
