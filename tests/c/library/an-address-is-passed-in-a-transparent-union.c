//@ engines: explicit, overlay; verdict: unknown
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/socket.h>

int main(void)
{
    socklen_t length = 8;
    char *address = calloc(1, 4);
    if (address == NULL)
        return 1;
    int result = getsockname(0, (struct sockaddr *)address, &length);
    free(address);
    return result;
}
