//@ engines: explicit; verdict: safe
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int *p = malloc(sizeof *p);
    if (p == NULL)
        return 0;
    free(p);
    if (fileno(stdin) == -1)
        free(p);
    return 0;
}
