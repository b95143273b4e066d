//@ engines: overlay; verdict: safe
#include <stdio.h>

int main(void) {
    char line[64];
    if (!fgets(line, sizeof line, stdin)) return 0;
    char *end = line;
    while (*end) end++;
    *end = '\0';
    return (int)(end - line);
}
