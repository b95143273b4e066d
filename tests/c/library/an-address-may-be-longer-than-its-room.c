//@ engines: explicit, graph, tvl, overlay, auto; verdict: unknown
#include <netinet/in.h>
#include <sys/socket.h>

int main(void)
{
    struct sockaddr_in where;
    socklen_t length = 28;
    int number = socket(AF_INET6, SOCK_STREAM, 0);
    if (number < 0)
        return 0;
    return getsockname(number, (struct sockaddr *)&where, &length) != 0;
}
