//@ engines: explicit, graph, tvl, overlay; verdict: unsafe
#include <stdlib.h>
#include <string.h>

struct node {
    struct node *next;
    int v;
};

int main(void)
{
    int byte;
    struct node *p = malloc(sizeof *p);
    if (!p)
        return 1;
    memset(p, byte, sizeof *p); //~ uninitialised
    free(p);
    return 0;
}
