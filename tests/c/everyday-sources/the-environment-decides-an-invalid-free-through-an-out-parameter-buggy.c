//@ engines: auto; verdict: unsafe
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
    while (*value && *value != ' ')
        value++;
    if (n > 0)
        puts(value);
    free(value); //~ invalid-free
    return 0;
}
