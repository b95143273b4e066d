//@ engines: explicit; verdict: safe
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

int main(void)
{
    unsigned char message[8];
    char name[4];
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (fd < 0 || recv(fd, message, sizeof message, 0) != sizeof message)
        return 0;
    if (message[0] > sizeof name)
        return 0;
    memcpy(name, message + 1, message[0]);
    return 0;
}
