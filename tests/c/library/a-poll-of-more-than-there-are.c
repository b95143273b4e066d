//@ engines: explicit, overlay, auto; verdict: unsafe
#include <poll.h>

int main(void)
{
    struct pollfd some[2] = { { 0, POLLIN, 0 }, { 1, POLLOUT, 0 } };
    return poll(some, 3, 100) > 0;  //~ out-of-bounds
}
