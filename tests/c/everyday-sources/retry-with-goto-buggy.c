//@ engines: auto; verdict: unsafe
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    int tries = 0;
    char *buffer;
again:
    buffer = malloc(32); //~ leak
    if (!buffer)
        return 1;
    if (!fgets(buffer, 32, stdin)) {
        free(buffer);
        return 0;
    }
    if (buffer[0] == '#' && tries < 3) {
        tries++;
        goto again;
    }
    fputs(buffer, stdout);
    free(buffer);
    return 0;
}
