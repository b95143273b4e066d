//@ engines: explicit; verdict: unsafe
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int from, to;
    if (scanf("%d %d", &from, &to) != 2)
        return 0;
    char *p = malloc(8);
    if (p == NULL)
        return 0;
    if (from < to && to < 7)
        free(p);
    free(p); //~ double-free
    return 0;
}
