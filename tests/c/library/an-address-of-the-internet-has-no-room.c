//@ engines: explicit, auto; verdict: unsafe
#include <arpa/inet.h>

int main(void)
{
    unsigned char address[3];
    return inet_pton(AF_INET, "127.0.0.1", address) != 1; //~ out-of-bounds
}
