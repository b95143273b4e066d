//@ engines: explicit, auto; verdict: unsafe
#include <stdio.h>
#include <string.h>

int main(void) {
    char line[8];
    if (fgets(line, sizeof line, stdin) == NULL) return 1;
    line[strcspn(line, "\n")] = '\0';
    size_t n = strlen(line);
    char last = line[n - 1]; //~ out-of-bounds
    return last == 'x';
}
