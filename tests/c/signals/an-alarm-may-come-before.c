//@ engines: explicit, graph, tvl, overlay, auto; verdict: unknown
#include <stdlib.h>
#include <unistd.h>

int main(void)
{
    int *p = malloc(sizeof *p);
    if (!p)
        return 0;
    free(p);
    alarm(1);
    sleep(5);
    free(p);    //~ may double-free
    return 0;
}
