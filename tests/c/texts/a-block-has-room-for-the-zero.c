//@ engines: overlay; verdict: safe
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char line[64];
    if (!fgets(line, sizeof line, stdin)) return 0;
    char *copy = malloc(strlen(line) + 1);
    if (!copy) return 1;
    strcpy(copy, line);
    puts(copy);
    free(copy);
    return 0;
}
