//@ engines: overlay; verdict: safe
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char line[64];
    if (!fgets(line, sizeof line, stdin)) return 0;
    char *copy = strdup(line);
    if (!copy) return 1;
    puts(copy);
    free(copy);
    return 0;
}
