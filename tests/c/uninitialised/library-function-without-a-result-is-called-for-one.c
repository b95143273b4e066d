//@ engines: explicit, auto; verdict: unsafe
#include <stdlib.h>

int main(void)
{
    int (*start)(unsigned) = (int (*)(unsigned))srand;
    if (start(1)) //~ uninitialised
        return 1;
    return 0;
}
