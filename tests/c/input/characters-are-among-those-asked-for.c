//@ engines: explicit; verdict: safe
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    char digits[5];
    if (scanf("%4[0-9]", digits) != 1)
        return 0;
    int *p = malloc(sizeof *p);
    if (p == NULL)
        return 0;
    free(p);
    if (digits[0] == 'a' || digits[0] == '\0')
        free(p);
    return 0;
}
