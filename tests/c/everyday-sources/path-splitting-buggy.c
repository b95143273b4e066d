//@ engines: auto; verdict: unsafe
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <stdlib.h>
int main(void) {
    char *path = getenv("PATH");
    char *copy = strdup(path); //~ null-deref
    if (copy == NULL)
        return 1;
    int parts = 1;
    for (char *p = copy; *p; p++)
        if (*p == ':')
            parts++;
    printf("%d\n", parts);
    free(copy);
    return 0;
}
