//@ engines: auto; verdict: unsafe
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
    char *name, *copy;
    int status = 1;
    if (argc < 2)
        goto done;
    name = malloc(10);
    copy = malloc(10);
    if (!name || !copy)
        goto done;
    snprintf(name, 10, "%s", argv[1]);
    snprintf(copy, 10, "%s", name);
    puts(copy);
    status = 0;
done:
    free(name); //~ uninitialised
    free(copy);
    return status;
}
