//@ engines: explicit; verdict: safe
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

int main(void)
{
    int first, second;
    char word[8];
    if (scanf("%d %7s %d", &first, word, &second) != 3)
        return 1;
    return first > 3 || second > 3 || word[0];
}
