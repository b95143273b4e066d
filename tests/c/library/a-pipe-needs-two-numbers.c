//@ engines: explicit, graph, overlay, auto; verdict: unsafe
#include <unistd.h>

int main(void)
{
    int end;
    if (pipe(&end) == 0)    //~ out-of-bounds
        return end > 0;
    return 0;
}
