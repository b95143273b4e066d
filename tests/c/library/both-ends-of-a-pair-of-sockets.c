//@ engines: explicit, overlay, auto; verdict: safe
//@ engines: graph, tvl; verdict: unknown
#include <sys/socket.h>
#include <unistd.h>

int main(void)
{
    int ends[2] = { -1, -1 };
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) < 0)
        return 1;
    return close(ends[0]) | close(ends[1]);
}
