//@ engines: explicit; verdict: safe
#include <stdlib.h>

int main(void)
{
    char *p = malloc(5), *q = malloc(5);
    if (p != NULL && q != NULL && p + 5 == q)
        *(volatile int *)0 = 1;
    free(p);
    free(q);
    return 0;
}
