//@ engines: explicit; verdict: safe
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    unsigned digit;
    int number, at = -1;
    if (scanf("%1u%n %2d", &digit, &at, &number) != 2)
        return 0;
    int *p = malloc(sizeof *p);
    if (p == NULL)
        return 0;
    free(p);
    if (digit > 9 || at < 0 || number > 99 || number < -9)
        free(p);
    return 0;
}
