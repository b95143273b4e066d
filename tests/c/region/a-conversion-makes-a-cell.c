//@ engines: region, explicit, auto; verdict: unknown
//@ args: --property heap
#include <stdio.h>

int main(void)
{
    char *word = NULL;
    if (scanf("%ms", &word) != 1)
        return 0;
    return word[0] == 'a'; //~ may leak
}
