//@ engines: auto; verdict: safe
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int work(FILE **items, int n) {
    int c;
    if (items[2] == NULL)
        return 1;
    c = fgetc(items[2]);
    printf("%d %d\n", c, n);
    fclose(items[2]);
    return 0;
}

int main(int argc, char **argv) {
    if (argc < 2)
        return 1;
    int n = atoi(argv[1]);
    FILE *items[4];
    for (int k = 0; k < 4; k++)
        items[k] = 0;
    items[2] = fopen("log.txt", "r");
    return work(items, n);
}
