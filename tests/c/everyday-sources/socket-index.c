//@ engines: auto; verdict: safe
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <netinet/in.h>
#include <arpa/inet.h>
#include <unistd.h>
static void bad_sink(int data) {
    int buffer[10] = { 0 };
    if (data >= 0 && data < 10) {
        buffer[data] = 1;
        for (int i = 0; i < 10; i++)
            printf("%d\n", buffer[i]);
    } else
        puts("negative");
}
int main(void) {
    int data = -1;
    struct sockaddr_in service;
    char input[14];
    int s = -1;
    do {
        s = socket(AF_INET, SOCK_STREAM, IPPROTO_TCP);
        if (s == -1)
            break;
        memset(&service, 0, sizeof(service));
        service.sin_family = AF_INET;
        service.sin_addr.s_addr = inet_addr("127.0.0.1");
        service.sin_port = htons(27015);
        if (connect(s, (struct sockaddr *)&service, sizeof(service)) == -1)
            break;
        int got = recv(s, input, sizeof(input) - 1, 0);
        if (got == -1 || got == 0)
            break;
        input[got] = '\0';
        data = atoi(input);
    } while (0);
    if (s != -1)
        close(s);
    bad_sink(data);
    return 0;
}
