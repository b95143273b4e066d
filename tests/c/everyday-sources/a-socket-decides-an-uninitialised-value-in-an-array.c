//@ engines: auto; verdict: safe
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

static int receive_number(int s) {
    int v;
    if (recv(s, &v, sizeof v, 0) != sizeof v)
        return 1;
    return v;
}

int main(void) {
    int s = socket(AF_INET, SOCK_STREAM, 0);
    int n = receive_number(s);
    close(s);
    int *items[3] = { 0 };
    items[1] = malloc(sizeof(int));
    if (items[1] == NULL)
        return 1;
    if (n < 10)
        *items[1] = 1;
    else
        *items[1] = 2;
    if (*items[1] == 1)
        puts("one");
    free(items[1]);
    return 0;
}
