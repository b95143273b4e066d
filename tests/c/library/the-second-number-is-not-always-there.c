//@ engines: graph, tvl, overlay, auto; verdict: unsafe
#include <stdio.h>

int main(void)
{
    int width, height;
    if (scanf("%dx%d", &width, &height) < 1)
        return 0;
    if (width > 10)
        return 1;
    if (height > 10) //~ uninitialised
        return 2;
    return 0;
}
