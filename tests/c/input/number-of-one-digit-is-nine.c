//@ engines: explicit; verdict: unsafe
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    unsigned digit;
    if (scanf("%1u", &digit) != 1)
        return 0;
    int *p = malloc(sizeof *p);
    if (p == NULL)
        return 0;
    free(p);
    if (digit == 9)
        free(p); //~ double-free
    return 0;
}
