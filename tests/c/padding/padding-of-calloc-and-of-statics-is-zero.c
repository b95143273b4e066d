//@ engines: explicit; verdict: safe
#include <stdlib.h>
#include <string.h>

struct pair {
    char c;
    int v;
};

static struct pair global;

int main(void)
{
    struct pair *p = calloc(1, sizeof *p);
    if (p == NULL)
        return 0;
    if (((char *)p)[1] != 0 || ((char *)&global)[1] != 0)
        *(volatile int *)NULL = 1;
    free(p);
    return 0;
}
