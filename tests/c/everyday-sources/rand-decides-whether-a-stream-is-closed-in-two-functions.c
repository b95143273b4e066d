//@ engines: auto; verdict: safe
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int use(FILE *data, int n) {
    if (!data)
        return 1;
    fprintf(data, "n is %d\n", n);
    fclose(data);
    return 0;
}

int main(void) {
    int n = 3;
    if (rand() % 2)
        n = 12;
    return use(fopen("log.txt", "a"), n);
}
