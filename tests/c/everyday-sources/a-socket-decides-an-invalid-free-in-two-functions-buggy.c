//@ engines: auto; verdict: unsafe
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

static char shared[8];
static int receive_number(int s) {
    int v;
    if (recv(s, &v, sizeof v, 0) != sizeof v)
        return 1;
    return v;
}

static int handle(char *value) {
    free(value); //~ invalid-free
    return 0;
}

int main(void) {
    int s = socket(AF_INET, SOCK_STREAM, 0);
    int n = receive_number(s);
    close(s);
    return handle(n > 5 ? shared : malloc(8));
}
