//@ engines: explicit, graph, tvl, overlay, auto; verdict: unsafe
#include <poll.h>

int main(void)
{
    struct pollfd one;
    one.fd = 0;
    one.events = POLLIN;
    poll(&one, 1, -1);
    if (one.revents & POLLIN)   //~ uninitialised
        return 2;
    return 0;
}
