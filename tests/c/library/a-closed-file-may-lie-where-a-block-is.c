//@ engines: explicit; verdict: unknown
// Its storage may be used again.
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    FILE *file = fopen("x", "r");
    if (!file)
        return 0;
    fclose(file);
    int *block = malloc(sizeof *block);
    if ((void *)block == (void *)file)
        *block = *(int *)0;
    free(block);
    return 0;
}
