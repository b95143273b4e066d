//@ engines: overlay; verdict: safe
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char line[32], copy[32];
    if (!fgets(line, sizeof line, stdin)) return 0;
    strcpy(copy, line);
    puts(copy);
    return 0;
}
