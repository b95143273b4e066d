//@ engines: explicit, graph, overlay, auto; verdict: safe
#include <signal.h>
#include <stdlib.h>

int main(void)
{
    int (*stop)(int) = raise;
    int *p = malloc(sizeof *p);
    if (!p)
        return 0;
    free(p);
    stop(SIGKILL);
    free(p);
    return 0;
}
