//@ engines: explicit, graph, tvl, overlay; verdict: unsafe
#include <stdlib.h>

struct node {
    struct node *next;
    int v;
};

int main(void)
{
    struct node *p = malloc(sizeof *p);
    if (!p)
        return 1;
    long n = p->next - p; //~ uninitialised
    free(p);
    return n > 3;
}
