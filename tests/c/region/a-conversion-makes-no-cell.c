//@ engines: region; verdict: safe
//@ args: --property heap
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int *number = malloc(sizeof *number);
    if (!number)
        return 0;
    char word[8];
    if (scanf("%7s %d", word, number) != 2)
        *number = 0;
    free(number);
    return 0;
}
