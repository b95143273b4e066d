//@ engines: overlay; verdict: unknown
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char line[64], name[16];
    if (!fgets(line, sizeof line, stdin)) return 0;
    strncpy(name, line, sizeof name);
    puts(name);
    return 0;
}
