//@ engines: explicit; verdict: unsafe
#include <stdlib.h>

int main(void)
{
    unsigned seed;
    return rand_r(&seed) == 3; //~ uninitialised
}
