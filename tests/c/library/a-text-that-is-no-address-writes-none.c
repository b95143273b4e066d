//@ engines: explicit, auto; verdict: unknown
// Whether a text is an address, a run may not choose.
#include <arpa/inet.h>

int main(void)
{
    struct in_addr address;
    inet_pton(AF_INET, "nowhere", &address);
    return address.s_addr == 0; //~ may uninitialised
}
