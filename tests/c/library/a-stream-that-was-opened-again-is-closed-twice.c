//@ engines: explicit, overlay, auto; verdict: unsafe
//@ engines: graph, tvl; verdict: unknown
#include <stdio.h>

int main(void)
{
    FILE *file = fopen("/tmp/one", "r");
    if (!file)
        return 0;
    FILE *again = freopen("/tmp/two", "r", file);
    if (!again)
        return 0;
    fclose(again);
    fclose(file); //~ may use-after-free
    return 0;
}
