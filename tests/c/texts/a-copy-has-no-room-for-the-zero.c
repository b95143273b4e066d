//@ engines: overlay; verdict: unsafe
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char line[32], copy[31];
    if (!fgets(line, sizeof line, stdin)) return 0;
    strcpy(copy, line); //~ out-of-bounds
    puts(copy);
    return 0;
}
