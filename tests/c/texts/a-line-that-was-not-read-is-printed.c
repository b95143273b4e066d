//@ engines: overlay; verdict: unknown
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char line[32];
    fgets(line, sizeof line, stdin);
    puts(line);
    return 0;
}
