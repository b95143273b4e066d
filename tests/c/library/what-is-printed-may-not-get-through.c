//@ engines: explicit; verdict: unsafe
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int *p = malloc(sizeof *p);
    if (p == NULL)
        return 0;
    free(p);
    if (printf("done\n") < 0)
        free(p); //~ double-free
    return 0;
}
