//@ engines: explicit, graph, tvl, overlay, auto; verdict: unsafe
#include <signal.h>
#include <stdlib.h>

int main(void)
{
    int *p = malloc(sizeof *p);
    if (!p)
        return 0;
    free(p);
    raise(SIGCHLD);
    raise(0);
    free(p);    //~ double-free
    return 0;
}
