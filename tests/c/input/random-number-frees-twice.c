//@ engines: explicit; verdict: unsafe
#include <stdlib.h>

int main(void)
{
    char *p = malloc(1);
    if (rand() == 12345)
        free(p);
    free(p); //~ double-free
    return 0;
}
