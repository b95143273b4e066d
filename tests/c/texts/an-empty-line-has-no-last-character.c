//@ engines: overlay; verdict: unsafe
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char line[32];
    if (!fgets(line, sizeof line, stdin)) return 0;
    line[0] = 0;
    size_t n = strlen(line);
     line[n - 1] = 0; //~ out-of-bounds
    puts(line);
    return 0;
}
