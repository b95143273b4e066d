//@ engines: overlay; verdict: safe
#include <stdio.h>
#include <string.h>

int main(void) {
    char line[64];
    while (fgets(line, sizeof line, stdin))
        if (strncmp(line, "host=", 5) == 0)
            puts(line + 5);
    return 0;
}
