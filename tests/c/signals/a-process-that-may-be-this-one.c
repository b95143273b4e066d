//@ engines: explicit, graph, tvl, overlay, auto; verdict: unknown
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

int main(void)
{
    int *p = malloc(sizeof *p);
    if (!p)
        return 0;
    free(p);
    kill(getpid(), SIGTERM);
    free(p);    //~ may double-free
    return 0;
}
