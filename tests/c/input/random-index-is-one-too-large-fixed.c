//@ engines: explicit; verdict: safe
#include <stdlib.h>

int main(void)
{
    int table[6] = {0};
    int index = rand() % 6;
    table[index] = 1;
    return table[0];
}
