//@ engines: auto; verdict: safe
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void make(char **out) {
    *out = malloc(6);
}

int main(void) {
    const char *text = getenv("AMOUNT");
    int n = text ? atoi(text) : 1;
    char *value;
    make(&value);
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
