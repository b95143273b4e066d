//@ engines: explicit; verdict: unsafe
#include <stdlib.h>
#include <time.h>

int main(void)
{
    srand((unsigned)time(NULL));
    int *p = malloc(sizeof *p);
    if (p == NULL)
        return 1;
    *p = rand();
    free(p);
    free(p); //~ double-free
    return 0;
}
