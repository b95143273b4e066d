//@ engines: explicit; verdict: safe
#include <stdio.h>

int main(void)
{
    char word[4];
    if (scanf("%3s", word) != 1)
        return 0;
    return word[0];
}
