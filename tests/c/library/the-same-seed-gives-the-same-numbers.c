//@ engines: explicit; verdict: unknown
#include <stdlib.h>

int main(void)
{
    srand(5);
    int first = rand();
    srand(5);
    int again = rand();
    int *p = malloc(sizeof *p);
    if (p == NULL)
        return 0;
    free(p);
    if (first != again)
        free(p); //~ may double-free
    return 0;
}
