//@ engines: graph, tvl, overlay, explicit, auto; verdict: unsafe
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int *number = malloc(sizeof *number);
    int result = scanf("%d", number); //~ null-deref
    free(number);
    return result;
}
