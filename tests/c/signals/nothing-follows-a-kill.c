//@ engines: explicit, graph, tvl, overlay, auto; verdict: safe
#include <signal.h>
#include <stdlib.h>

int main(void)
{
    int *p = malloc(sizeof *p);
    if (!p)
        return 0;
    free(p);
    raise(SIGKILL);
    free(p);
    return 0;
}
