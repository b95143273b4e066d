//@ engines: region, auto; verdict: unknown
//@ args: --property heap
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    char *pointer = NULL;
    if (fread(&pointer, sizeof pointer, 1, stdin) != 1)
        return 0;
    free(pointer); //~ may invalid-free
    return 0;
}
