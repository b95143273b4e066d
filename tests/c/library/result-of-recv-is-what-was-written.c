//@ engines: explicit, overlay; verdict: safe
#include <sys/socket.h>

int main(void)
{
    char packet[16];
    int channel = socket(AF_INET, SOCK_DGRAM, 0);
    if (channel < 0)
        return 1;
    ssize_t length = recv(channel, packet, 15, MSG_DONTWAIT);
    if (length < 0)
        return 1;
    packet[length] = 0;
    return 0;
}
