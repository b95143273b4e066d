//@ engines: explicit, auto; verdict: unsafe
#include <poll.h>

extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    struct pollfd some[3] = { { 0, POLLIN, 0 }, { 1, POLLOUT, 0 }, { 2, POLLOUT, 0 } };
    unsigned n = __VERIFIER_nondet_uint();
    if (n > 4)
        return 0;
    return poll(some, n, 100) > 0;  //~ out-of-bounds
}
