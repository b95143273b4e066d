//@ engines: overlay; verdict: unsafe
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char line[32];
    while (fgets(line, sizeof line, stdin)) {
        char *end = strchr(line, '\n');
        *end = 0; //~ null-deref
        puts(line);
    }
    return 0;
}
