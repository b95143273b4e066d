//@ engines: auto; verdict: unsafe
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
int main(void) {
    char line[100], key[20], value[20];
    if (!fgets(line, sizeof line, stdin))
        return 1;
    if (sscanf(line, "%s = %19s", key, value) != 2) //~ out-of-bounds
        return 1;
    printf("%s -> %s\n", key, value);
    return 0;
}
