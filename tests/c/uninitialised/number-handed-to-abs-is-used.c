//@ engines: explicit; verdict: unsafe
#include <stdlib.h>

int main(void)
{
    int x;
    return abs(x) > 3; //~ uninitialised
}
