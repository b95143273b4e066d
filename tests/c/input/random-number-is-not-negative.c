//@ engines: explicit; verdict: safe
#include <stdlib.h>

int main(void)
{
    int table[5] = {0};
    return table[rand() % 5];
}
