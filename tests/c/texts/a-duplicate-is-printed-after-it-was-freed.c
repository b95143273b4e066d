//@ engines: overlay; verdict: unsafe
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char line[64];
    if (!fgets(line, sizeof line, stdin)) return 0;
    char *copy = strdup(line);
    if (!copy) return 1;
    free(copy);
    puts(copy); //~ use-after-free
    return 0;
}
