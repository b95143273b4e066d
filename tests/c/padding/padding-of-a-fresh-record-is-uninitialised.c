//@ engines: explicit; verdict: unsafe
#include <stdlib.h>
#include <string.h>

struct pair {
    char c;
    int v;
};

int main(void)
{
    struct pair *p = malloc(sizeof *p);
    if (p == NULL)
        return 0;
    p->c = 1;
    p->v = 2;
    int r = *(int *)p;
    free(p);
    if (r == 1) //~ uninitialised
        return 1;
    return 0;
}
