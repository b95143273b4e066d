//@ engines: explicit, overlay, region; verdict: unsafe
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/socket.h>

int main(void)
{
    struct sockaddr *address = calloc(1, sizeof *address);
    if (address == NULL)
        return 1;
    free(address);
    return bind(0, address, sizeof *address); //~ use-after-free
}
