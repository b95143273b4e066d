//@ engines: explicit; verdict: unsafe
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int count[256] = {0};
    int c = getchar();
    count[c]++; //~ out-of-bounds
    return 0;
}
