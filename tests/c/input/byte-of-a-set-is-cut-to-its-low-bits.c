//@ engines: explicit; verdict: safe
/* A byte of a set has holes: of the low bits of 0 and 9 there are two values. */
#include <stdio.h>
static int digit(void)
{
    char b[2];
    if (scanf("%1[09]", b) != 1)
        return 0;
    return b[0];
}
int main(void)
{
    int a[2] = {0, 1};
    int c = digit();
    return a[c & 7];
}
