//@ engines: overlay; verdict: unknown
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char *line = malloc(32);
    if (!line) return 1;
    if (!fgets(line, 32, stdin)) {
        free(line);
        return 0;
    }
    char *moved = realloc(line, 16);
    if (!moved) {
        free(line);
        return 1;
    }
    puts(moved);
    free(moved);
    return 0;
}
