//@ engines: explicit, graph, tvl, overlay, auto; verdict: unsafe
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

int main(void)
{
    int *p = malloc(sizeof *p);
    if (!p)
        return 0;
    free(p);
    if (kill(getppid(), 0) == 0)
        free(p);    //~ double-free
    return 0;
}
