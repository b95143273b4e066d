//@ engines: explicit, overlay, auto; verdict: safe
//@ engines: graph, tvl; verdict: unknown
#include <stdlib.h>
#include <unistd.h>

int main(void)
{
    int ends[2];
    if (pipe(ends) != 0)
        return 1;
    if (ends[0] < 0 || ends[1] < 0) {
        int *p = NULL;
        *p = 1;
    }
    close(ends[0]);
    close(ends[1]);
    return 0;
}
