//@ engines: explicit, graph, tvl, overlay; verdict: unsafe
//@ args: --property heap
#include <stdlib.h>

static int *g;

static void stop(void)
{
    g = NULL;       //~ leak
    exit(0);
}

int main(void)
{
    g = malloc(sizeof *g);
    stop();
    free(g);
    return 0;
}
