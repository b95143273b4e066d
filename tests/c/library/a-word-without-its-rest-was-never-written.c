//@ engines: explicit; verdict: unsafe
#include <stdio.h>

int main(void)
{
    char word[8];
    if (scanf("%7s", word) != 1)
        return 0;
    if (word[3] == 'a') //~ uninitialised
        return 1;
    return 0;
}
