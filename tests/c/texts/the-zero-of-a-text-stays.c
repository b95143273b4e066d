//@ engines: overlay; verdict: safe
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char line[32];
    if (!fgets(line, sizeof line, stdin)) return 0;
    size_t n = strlen(line);
    if (n > 0) line[n - 1] = '.';
    printf("%d\n", (int)strlen(line));
    return 0;
}
