//@ engines: auto; verdict: safe
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int receive_number(int s) {
    int v;
    if (recv(s, &v, sizeof v, 0) != sizeof v)
        return 1;
    return v;
}

static int use(char *item, int n) {
    if (!item)
        return 1;
    puts(item);
    free(item);
    return 0;
}

static int nothing(char *item, int n) {
    (void)item;
    (void)n;
    return 0;
}

typedef int (*action_fn)(char *, int);
static action_fn actions[] = { nothing, use };

int main(void) {
    int s = socket(AF_INET, SOCK_STREAM, 0);
    int n = receive_number(s);
    close(s);
    return actions[1](strdup("pear"), n);
}
