//@ engines: explicit; verdict: unsafe
//@ args: --property leak
#include <stdlib.h>

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
    if (*(int *)p != 1)
        p = NULL; //~ leak
    free(p);
    return 0;
}
