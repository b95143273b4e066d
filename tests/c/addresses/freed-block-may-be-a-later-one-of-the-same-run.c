//@ engines: explicit; verdict: unsafe
#include <stdlib.h>

int main(void)
{
    char *p = malloc(16);
    free(p);
    char *q = malloc(16);
    char *r = malloc(16);
    if (q != NULL && r != NULL && p == r)
        *(volatile int *)0 = 1; //~ null-deref
    free(q);
    free(r);
    return 0;
}
