//@ engines: explicit, overlay, auto; verdict: safe
#include <netinet/in.h>
#include <sys/socket.h>

int main(void)
{
    struct sockaddr_in where;
    sa_family_t family;
    socklen_t length = sizeof where;
    socklen_t short_length = sizeof family;
    int number = socket(AF_INET, SOCK_STREAM, 0);
    if (number < 0)
        return 0;
    if (getsockname(number, (struct sockaddr *)&where, &length))
        return 1;
    return getsockname(number, (struct sockaddr *)&family, &short_length) != 0;
}
