//@ engines: explicit, tvl, overlay; verdict: safe
/* What was read is set before it is used. */
#include <stdlib.h>

struct node {
    struct node *next;
    int v;
};

int main(int argc, char **argv)
{
    struct node *p = malloc(sizeof *p);
    if (!p)
        return 1;
    p->next = NULL;
    int i = p->v, r = 0;
    if (argc > 1)
        i = 2;
    if (argc > 1)
        r = i + 1;
    free(p);
    return r;
}
