//@ engines: overlay; verdict: safe
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char line[32];
    if (!fgets(line, sizeof line, stdin)) return 1;
    puts(line);
    return 0;
}
