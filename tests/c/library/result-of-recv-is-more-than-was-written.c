//@ engines: explicit, overlay; verdict: unknown
#include <sys/socket.h>

int main(void)
{
    char packet[16];
    int channel = socket(AF_INET, SOCK_DGRAM, 0);
    if (channel < 0)
        return 1;
    /* The result is how long the packet was, also where that is more than the buffer. */
    ssize_t length = recv(channel, packet, 15, MSG_TRUNC);
    if (length < 0)
        return 1;
    packet[length] = 0;
    return 0;
}
