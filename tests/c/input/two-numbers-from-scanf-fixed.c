//@ engines: explicit; verdict: safe
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
    if (from < to && to < from)
        free(p);
    free(p);
    return 0;
}
