//@ engines: overlay; verdict: safe
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char line[32];
    while (fgets(line, sizeof line, stdin)) {
        char *end = strchr(line, '\n');
        if (end) *end = 0;
        puts(line);
    }
    return 0;
}
