//@ engines: explicit; verdict: clean
#include <stdlib.h>

int main(void)
{
    int table[4] = {0};
    double x = drand48();
    table[(int)(x * 4)] = 1;
    table[(int)((1 - x) * 3)] = 1;
    return table[0];
}
