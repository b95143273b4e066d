//@ engines: explicit, graph, tvl, overlay, auto; verdict: unknown
#include <signal.h>
#include <stdlib.h>

int main(void)
{
    int *p = malloc(sizeof *p);
    if (!p)
        return 0;
    free(p);
    raise(SIGABRT);
    free(p);    //~ may double-free
    return 0;
}
