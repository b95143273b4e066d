//@ engines: explicit; verdict: unsafe
#include <stdlib.h>

int main(void)
{
    int table[6] = {0};
    int index = rand() % 7;
    table[index] = 1; //~ out-of-bounds
    return table[0];
}
