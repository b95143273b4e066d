//@ engines: explicit, auto; verdict: unsafe
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char line[16];
    if (fgets(line, sizeof line, stdin) == NULL) return 1;
    char *value = strchr(line, '=');
    *value = '\0'; //~ null-deref
    puts(line);
    return 0;
}
