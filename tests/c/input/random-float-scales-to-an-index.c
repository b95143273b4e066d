//@ engines: explicit; verdict: unsafe
#include <stdlib.h>

int main(void)
{
    int table[10] = {0};
    table[(int)(drand48() * 11)] = 1; //~ out-of-bounds
    return table[0];
}
