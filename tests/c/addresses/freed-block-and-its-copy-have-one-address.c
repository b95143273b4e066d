//@ engines: explicit; verdict: safe
#include <stdlib.h>

int main(void)
{
    char *p = malloc(16);
    char *q = p;
    if (p == NULL)
        return 0;
    free(p);
    if (p != q || p == NULL)
        *(volatile int *)0 = 1;
    char *a = malloc(16);
    char *b = malloc(16);
    if (a != NULL && b != NULL && p == a && p == b)
        *(volatile int *)0 = 1;
    free(a);
    free(b);
    return 0;
}
