//@ engines: auto; verdict: safe
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <stdio.h>
int main(int argc, char **argv) {
    char *name = "default";
    int own = 0;
    if (argc > 1) {
        name = strdup(argv[1]);
        if (name == NULL)
            return 1;
        own = 1;
    }
    puts(name);
    if (own)
    free(name);
    return 0;
}
