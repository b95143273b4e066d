//@ engines: auto; verdict: unsafe
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int receive_number(void) {
    char text[16];
    struct sockaddr_in a;
    int s = socket(AF_INET, SOCK_STREAM, 0);
    if (s < 0)
        return 1;
    memset(&a, 0, sizeof a);
    a.sin_family = AF_INET;
    a.sin_port = htons(2000);
    a.sin_addr.s_addr = inet_addr("127.0.0.1");
    if (connect(s, (struct sockaddr *)&a, sizeof a) < 0) {
        close(s);
        return 1;
    }
    ssize_t got = recv(s, text, sizeof text - 1, 0);
    close(s);
    if (got <= 0)
        return 1;
    text[got] = '\0';
    return atoi(text);
}

static FILE *current;

static int process(int n) {
    if (!current)
        return 1;
    fputs("x", current);
    free(current); //~ invalid-free
    return n > 100;
}

int main(void) {
    int n = receive_number();
    current = tmpfile();
    return process(n);
}
