//@ engines: auto; verdict: unsafe
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    const char *home = getenv("HOME");
    const char *file = "/.config";
    if (home == NULL)
        home = "/";
    char *path = malloc(strlen(home) + strlen(file));
    if (path == NULL)
        return 1;
    strcpy(path, home);
    strcat(path, file); //~ out-of-bounds
    puts(path);
    free(path);
    return 0;
}
