//@ engines: explicit; verdict: safe
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char word[5];
    if (scanf("%4s", word) != 1)
        return 0;
    int *p = malloc(sizeof *p);
    if (p == NULL)
        return 0;
    free(p);
    if (word[0] == '\0' || word[0] == ' ' || strchr(word, '\n') != NULL || strlen(word) > 4)
        free(p);
    return 0;
}
