//@ engines: overlay; verdict: unsafe
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char line[32];
    if (!fgets(line, sizeof line + 1, stdin)) return 0; //~ out-of-bounds
    puts(line);
    return 0;
}
