//@ engines: overlay; verdict: safe
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char line[32];
    if (!fgets(line, sizeof line, stdin)) return 0;
    line[0] = 0;
    size_t n = strlen(line);
    if (n) line[n - 1] = 0;
    puts(line);
    return 0;
}
