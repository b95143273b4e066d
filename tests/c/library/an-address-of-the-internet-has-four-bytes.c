//@ engines: explicit, auto; verdict: safe
#include <arpa/inet.h>

int main(void)
{
    struct in_addr address;
    if (inet_pton(AF_INET, "127.0.0.1", &address) != 1)
        return 1;
    return address.s_addr == 0;
}
