//@ engines: explicit, graph, overlay, auto; verdict: unsafe
#include <poll.h>

int main(void)
{
    struct pollfd one;
    one.fd = 0;
    return poll(&one, 1, -1) > 0;   //~ uninitialised
}
