//@ engines: overlay; verdict: unsafe
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int count(const char *text, int at) {
    return text[at] ? 1 + count(text, at + 1) : text[at + 1]; //~ uninitialised //~ out-of-bounds
}

int main(void) {
    char line[24];
    if (!fgets(line, sizeof line, stdin)) return 0;
    printf("%d\n", count(line, 0));
    return 0;
}
