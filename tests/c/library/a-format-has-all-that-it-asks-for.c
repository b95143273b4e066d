//@ engines: explicit, graph, tvl, overlay, auto; verdict: safe
// More arguments than the format asks for are none of its business, and `%p` looks through nothing.
#include <stdio.h>

int main(void)
{
    void *nothing = 0;
    printf("%s %*d %p\n", "one", 3, 4, nothing, 5);
    return 0;
}
