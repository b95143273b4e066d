//@ engines: explicit; verdict: unsafe
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
    if (strcmp(word, "go") == 0)
        free(p); //~ double-free
    return 0;
}
