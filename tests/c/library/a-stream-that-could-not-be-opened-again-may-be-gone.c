//@ engines: explicit, graph, tvl, overlay, auto; verdict: unknown
// Whether it is, C leaves open: no run may choose it.
#include <stdio.h>

int main(void)
{
    FILE *file = fopen("/tmp/one", "r");
    if (!file)
        return 0;
    FILE *again = freopen("/nowhere/two", "r", file);
    if (!again)
        return fgetc(file) == 'a'; //~ may use-after-free
    fclose(again);
    return 0;
}
