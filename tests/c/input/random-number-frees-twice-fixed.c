//@ engines: explicit; verdict: safe
#include <stdlib.h>

int main(void)
{
    char *p = malloc(1);
    if (rand() == -1)
        free(p);
    free(p);
    return 0;
}
