//@ engines: explicit; verdict: unsafe
#include <assert.h>
#include <poll.h>

int main(void)
{
    struct pollfd both[2] = { { 0, POLLIN, 0 }, { 1, POLLOUT, 0 } };
    assert(poll(both, 2, 100) < 2); //~ assert
    return 0;
}
