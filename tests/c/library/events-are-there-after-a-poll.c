//@ engines: explicit, tvl, overlay, auto; verdict: safe
//@ engines: graph; verdict: unknown
#include <poll.h>
#include <stdlib.h>

int main(void)
{
    struct pollfd one;
    one.fd = 0;
    one.events = POLLIN;
    if (poll(&one, 1, -1) < 0)
        return 1;
    if (one.revents & POLLIN)   //~ may uninitialised
        return 2;
    return one.fd;
}
