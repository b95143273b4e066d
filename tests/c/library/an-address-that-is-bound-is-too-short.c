//@ engines: explicit, auto; verdict: unsafe
#include <stdlib.h>
#include <sys/socket.h>

int main(void)
{
    int number = socket(AF_INET6, SOCK_STREAM, 0);
    struct sockaddr *where = calloc(1, sizeof *where);
    if (!where)
        return 0;
    where->sa_family = AF_INET6;
    int result = bind(number, where, 28); //~ out-of-bounds
    free(where);
    return result != 0;
}
