//@ engines: explicit, overlay, auto; verdict: safe
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

int main(void)
{
    int on = 1;
    struct sockaddr_in where;
    memset(&where, 0, sizeof where);
    where.sin_family = AF_INET;
    int number = socket(AF_INET, SOCK_STREAM, 0);
    if (number < 0)
        return 0;
    if (setsockopt(number, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on))
        return 1;
    return bind(number, (struct sockaddr *)&where, sizeof where) != 0;
}
