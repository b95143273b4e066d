//@ engines: explicit, graph, auto; verdict: unsafe
//@ args: -O2
#include <stddef.h>

int main(void)
{
    int *nowhere = NULL;
    *nowhere = 1; //~ null-deref
    return 0;
}
