//@ engines: auto; verdict: safe
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct box {
    int id;
    FILE *x;
};

static int process(struct box *box, int n) {
    if (!box->x)
        return 1;
    fprintf(box->x, "n is %d\n", n);
    fclose(box->x);
    return 0;
}

int main(int argc, char **argv) {
    int n = 1;
    if (argc == 2)
        n = (int)strtol(argv[1], NULL, 0);
    struct box box = { 1, fopen("log.txt", "a") };
    return process(&box, n);
}
