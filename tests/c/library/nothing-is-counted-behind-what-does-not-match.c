//@ engines: explicit, auto; verdict: unsafe
// A conversion that stores nothing may fail, and then nothing behind it is stored; the result does not say so.
#include <stdio.h>

int main(void)
{
    int n;
    if (scanf("%*d%n", &n) >= 0)
        return n == 3; //~ uninitialised
    return 0;
}
