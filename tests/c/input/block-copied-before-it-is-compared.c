//@ engines: explicit; verdict: unsafe
#include <stdio.h>
#include <string.h>

int main(void)
{
    char block[4], copy[4];
    if (fread(block, 1, 4, stdin) != 4)
        return 0;
    memcpy(copy, block, 4);
    if (copy[2] == block[2] && block[2] == 'z')
        *(volatile int *)NULL = 1; //~ null-deref
    return 0;
}
