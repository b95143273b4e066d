//@ engines: explicit, overlay, auto; verdict: unsafe
#include <sys/socket.h>

int main(void)
{
    char on = 1;
    int number = socket(AF_INET, SOCK_STREAM, 0);
    if (number < 0)
        return 0;
    return setsockopt(number, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(int)) != 0; //~ out-of-bounds
}
