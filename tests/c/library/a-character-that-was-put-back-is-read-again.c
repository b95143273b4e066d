//@ engines: explicit; verdict: unknown
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int first = getchar();
    if (first == EOF)
        return 0;
    ungetc(first, stdin);
    int again = getchar();
    int *p = malloc(sizeof *p);
    if (p == NULL)
        return 0;
    free(p);
    if (first != again)
        free(p); //~ may double-free
    return 0;
}
