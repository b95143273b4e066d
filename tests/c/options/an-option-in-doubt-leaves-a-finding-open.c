//@ engines: explicit, graph, auto; verdict: unknown
//@ args: -ffast-math
#include <stddef.h>

int main(void)
{
    int *nowhere = NULL;
    *nowhere = 1; //~ may null-deref
    return 0;
}
