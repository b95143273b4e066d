//@ engines: explicit; verdict: safe
#include <assert.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/select.h>
#include <sys/utsname.h>
#include <unistd.h>

int main(void)
{
    struct utsname system_name;
    struct pollfd both[2] = { { 0, POLLIN, 0 }, { 1, POLLOUT, 0 } };
    fd_set ready;
    FD_ZERO(&ready);
    FD_SET(0, &ready);
    assert(poll(both, 2, 100) <= 2);
    assert(select(1, &ready, NULL, NULL, NULL) <= 3 * FD_SETSIZE);
    assert(uname(&system_name) <= 0);
    assert(nice(1) < 20);
    assert(getpagesize() % 2 == 0);
    assert(MB_CUR_MAX > 0);
    assert(SIGRTMIN < SIGRTMAX);
    assert(system("true") >= -1);
    return 0;
}
