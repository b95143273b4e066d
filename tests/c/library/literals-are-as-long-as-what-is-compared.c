//@ engines: explicit, graph, tvl; verdict: safe
#include <string.h>

int main(void)
{
    return memcmp("abxy", "abcd", 5) == 0;
}
