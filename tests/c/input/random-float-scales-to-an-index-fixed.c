//@ engines: explicit; verdict: unknown
#include <stdlib.h>

int main(void)
{
    int table[10] = {0};
    table[(int)(drand48() * 10)] = 1;
    return table[0];
}
