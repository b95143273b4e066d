//@ engines: overlay; verdict: safe
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int read_line(char *to, int size) {
    if (!fgets(to, size, stdin)) return 0;
    to[strcspn(to, "\n")] = 0;
    return 1;
}

int main(void) {
    char line[40];
    while (read_line(line, 40)) puts(line);
    return 0;
}
