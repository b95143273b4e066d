//@ engines: explicit; verdict: unsafe
#include <stdio.h>

int main(void)
{
    int n;
    scanf("%d", &n);
    if (n > 3) //~ uninitialised
        return 1;
    return 0;
}
