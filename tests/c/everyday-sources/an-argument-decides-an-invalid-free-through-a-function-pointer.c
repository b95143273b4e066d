//@ engines: auto; verdict: safe
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int run(char *value, int n) {
    if (!value)
        return 1;
    strcpy(value, "ab cd");
    char *walk = value;
    while (*walk && *walk != ' ')
        walk++;
    if (n > 0)
        puts(walk);
    free(value);
    return 0;
}

int main(int argc, char **argv) {
    if (argc < 2)
        return 1;
    int n = atoi(argv[1]);
    int (*action)(char *, int) = run;
    return action(malloc(6), n);
}
