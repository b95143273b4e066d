//@ engines: explicit, graph, tvl, auto; verdict: unsafe
// Members are matched by their bytes, not by where they start.
#include <string.h>

int main(void)
{
    unsigned char byte = 1;
    int *pointer = 0;
    memcpy(&pointer, &byte, 1);
    if (pointer)
        *(int *)0 = 1; //~ null-deref
    return 0;
}
