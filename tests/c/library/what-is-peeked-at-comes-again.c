//@ engines: explicit; verdict: unknown
#include <stdlib.h>
#include <sys/socket.h>

int main(void)
{
    char first, second;
    int channel = socket(AF_INET, SOCK_STREAM, 0);
    if (channel < 0)
        return 1;
    if (recv(channel, &first, 1, MSG_PEEK) != 1 || recv(channel, &second, 1, 0) != 1)
        return 1;
    if (first != second) {
        char *lost = malloc(1);
        free(lost);
        free(lost);
    }
    return 0;
}
