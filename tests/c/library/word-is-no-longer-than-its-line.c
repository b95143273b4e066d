//@ engines: explicit; verdict: safe
#include <assert.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    char line[8], word[8];
    if (fgets(line, sizeof line, stdin) == NULL || sscanf(line, "%s", word) != 1)
        return 1;
    assert(strlen(word) < 8);
    return 0;
}
