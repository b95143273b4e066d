//@ engines: auto; verdict: safe
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
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

struct node {
    FILE *p;
    struct node *next;
};

static int use(struct node *node, int n) {
    int c;
    if (node->p == NULL)
        return 1;
    c = fgetc(node->p);
    printf("%d %d\n", c, n);
    fclose(node->p);
    return 0;
}

int main(void) {
    int n = receive_number();
    struct node last = { fopen("log.txt", "r"), NULL };
    struct node first = { 0, &last };
    return use(first.next, n);
}
