//@ engines: auto; verdict: unsafe
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <stdio.h>
int main(int argc, char **argv) {
    char *name = "default";
    if (argc > 1) {
        name = strdup(argv[1]);
        if (name == NULL)
            return 1;
    }
    puts(name);
    free(name); //~ invalid-free
    return 0;
}
