//@ engines: explicit; verdict: unknown
/* What is put back is read next: that it is another character is in doubt. */
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    ungetc('x', stdin);
    int c = getchar();
    char *p = malloc(4);
    if (!p)
        return 0;
    free(p);
    if (c == 'y')
        *p = 1; //~ may use-after-free
    return 0;
}
