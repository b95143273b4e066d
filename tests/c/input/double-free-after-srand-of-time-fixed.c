//@ engines: explicit; verdict: safe
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
    return 0;
}
