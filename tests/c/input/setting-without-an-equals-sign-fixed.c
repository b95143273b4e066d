//@ engines: explicit; verdict: clean
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char line[16];
    if (fgets(line, sizeof line, stdin) == NULL) return 1;
    char *value = strchr(line, '=');
    if (value == NULL) return 1;
    *value = '\0';
    puts(line);
    return 0;
}
