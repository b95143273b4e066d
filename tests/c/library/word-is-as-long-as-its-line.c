//@ engines: explicit; verdict: unsafe
#include <stdio.h>

int main(void)
{
    char line[8], word[7];
    if (fgets(line, sizeof line, stdin) == NULL || sscanf(line, "%s", word) != 1) //~ out-of-bounds
        return 1;
    return word[0];
}
