//@ engines: explicit; verdict: safe
#include <stdio.h>

int main(void)
{
    int index;
    int table[8] = {0};
    if (scanf("%d", &index) != 1)
        return 0;
    return table[index & 7];
}
