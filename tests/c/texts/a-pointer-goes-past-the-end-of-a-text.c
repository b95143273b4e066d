//@ engines: overlay; verdict: unsafe
#include <stdio.h>

int main(void) {
    char line[8];
    if (!fgets(line, sizeof line, stdin)) return 0;
    char *end = line;
    while (*end) end++;
    end[8] = '\0'; //~ out-of-bounds
    return (int)(end - line);
}
