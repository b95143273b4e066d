//@ engines: explicit, graph, tvl, overlay, auto; verdict: safe
#include <stdlib.h>
#include <unistd.h>

int main(void)
{
    int *p = malloc(sizeof *p);
    if (!p)
        return 0;
    free(p);
    alarm(1);
    pause();
    free(p);
    return 0;
}
