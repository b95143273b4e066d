//@ engines: explicit; verdict: unsafe
#include <sys/socket.h>

int main(void)
{
    struct sockaddr where;
    socklen_t length;
    if (getsockname(0, &where, &length)) //~ uninitialised
        return 1;
    return 0;
}
