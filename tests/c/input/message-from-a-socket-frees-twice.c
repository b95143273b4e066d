//@ engines: explicit; verdict: unsafe
#include <stdlib.h>
#include <sys/socket.h>

int main(void)
{
    char kind;
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    char *p = malloc(1);
    if (fd >= 0 && recv(fd, &kind, 1, 0) == 1 && kind == 'c')
        free(p);
    free(p); //~ double-free
    return 0;
}
