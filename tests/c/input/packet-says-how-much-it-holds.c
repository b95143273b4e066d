//@ engines: explicit, auto; verdict: unsafe
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

int main(void) {
    unsigned char packet[8];
    int s = socket(AF_INET, SOCK_DGRAM, 0);
    if (s < 0) return 1;
    if (recv(s, packet, sizeof packet, 0) != (ssize_t)sizeof packet) return 1;
    unsigned char *payload = malloc(4);
    if (payload == NULL) return 1;
    size_t length = packet[0];
    memset(payload, 0, length); //~ out-of-bounds
    free(payload);
    return 0;
}
