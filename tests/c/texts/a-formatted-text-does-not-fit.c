//@ engines: overlay; verdict: unknown
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char line[16], out[16];
    int n = 0;
    while (fgets(line, sizeof line, stdin)) {
        n++;
        sprintf(out, "%d: %s", n, line);
        fputs(out, stdout);
    }
    return 0;
}
