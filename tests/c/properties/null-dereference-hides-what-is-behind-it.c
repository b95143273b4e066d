//@ engines: explicit; verdict: safe
//@ args: --property double-free
#include <stdlib.h>

int main(void)
{
    int *p = malloc(sizeof *p);
    *p = 1;
    free(p);
    return 0;
}
