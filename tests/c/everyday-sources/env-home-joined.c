//@ engines: auto; verdict: safe
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    const char *home = getenv("HOME");
    const char *file = "/.config";
    if (home == NULL)
        home = "/";
    char *path = malloc(strlen(home) + strlen(file) + 1);
    if (path == NULL)
        return 1;
    strcpy(path, home);
    strcat(path, file);
    puts(path);
    free(path);
    return 0;
}
