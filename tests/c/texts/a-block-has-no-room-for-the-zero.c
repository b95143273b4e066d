//@ engines: overlay; verdict: unsafe
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char line[64];
    if (!fgets(line, sizeof line, stdin)) return 0;
    char *copy = malloc(strlen(line));
    if (!copy) return 1;
    strcpy(copy, line); //~ out-of-bounds
    puts(copy);
    free(copy);
    return 0;
}
