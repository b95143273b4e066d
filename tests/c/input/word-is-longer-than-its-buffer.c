//@ engines: explicit; verdict: unsafe
#include <stdio.h>

int main(void)
{
    char word[4];
    if (scanf("%s", word) != 1) //~ out-of-bounds
        return 0;
    return word[0];
}
