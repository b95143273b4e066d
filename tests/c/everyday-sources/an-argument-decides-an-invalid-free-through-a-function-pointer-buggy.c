//@ engines: auto; verdict: unsafe
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int run(char *value, int n) {
    if (!value)
        return 1;
    strcpy(value, "ab cd");
    while (*value && *value != ' ')
        value++;
    if (n > 0)
        puts(value);
    free(value); //~ invalid-free
    return 0;
}

int main(int argc, char **argv) {
    if (argc < 2)
        return 1;
    int n = atoi(argv[1]);
    int (*action)(char *, int) = run;
    return action(malloc(6), n);
}
