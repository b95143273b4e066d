//@ engines: overlay; verdict: safe
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char line[80], word[16];
    while (fgets(line, sizeof line, stdin))
        if (sscanf(line, "%15s", word) == 1) puts(word);
    return 0;
}
