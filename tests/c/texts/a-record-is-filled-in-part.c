//@ engines: overlay; verdict: unsafe
#include <stdio.h>
#include <string.h>

struct conf { char host[32]; int port; };
int main(int argc, char **argv) {
    struct conf c;
    if (argc > 1) {
        strncpy(c.host, argv[1], sizeof c.host - 1);
        c.host[sizeof c.host - 1] = 0;
        c.port = 80;
    }
    printf("%s %d\n", c.host, c.port); //~ uninitialised
    return 0;
}
