//@ engines: explicit, graph, tvl, overlay, auto; verdict: unsafe
#include <stdlib.h>
#include <unistd.h>

int main(void)
{
    int *p = malloc(sizeof *p);
    if (!p)
        return 0;
    free(p);
    alarm(0);
    free(p);    //~ double-free
    return 0;
}
