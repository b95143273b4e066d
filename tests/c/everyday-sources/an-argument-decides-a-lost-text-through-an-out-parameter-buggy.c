//@ engines: auto; verdict: unsafe
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void make(const char **out, const char *text) {
    *out = text;
}

int main(int argc, char **argv) {
    if (argc < 2)
        return 1;
    const char *text = argv[1];
    const char *item;
    make(&item, text);
    char *copy = strdup(item);
    if (copy == NULL)
        return 1;
    if (strlen(copy) > 8) {
        return 2; //~ leak
    }
    puts(copy);
    free(copy);
    return 0;
}
