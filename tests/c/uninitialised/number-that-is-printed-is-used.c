//@ engines: explicit; verdict: unsafe
#include <stdio.h>

int main(void)
{
    int x;
    printf("%d\n", x); //~ uninitialised
    return 0;
}
