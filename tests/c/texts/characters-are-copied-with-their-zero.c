//@ engines: overlay; verdict: safe
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char line[16], copy[16];
    if (!fgets(line, sizeof line, stdin)) return 0;
    memcpy(copy, line, strlen(line) + 1);
    printf("%d\n", (int)strlen(copy));
    return 0;
}
