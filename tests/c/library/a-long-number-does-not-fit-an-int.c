//@ engines: overlay, explicit, auto; verdict: unsafe
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int *number = malloc(sizeof *number);
    if (number == NULL)
        return 1;
    if (scanf("%ld", (long *)number) == 1) //~ out-of-bounds
        puts("read");
    free(number);
    return 0;
}
