//@ engines: explicit; verdict: unknown
#include <assert.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    char line[5], word[5];
    if (fgets(line, sizeof line, stdin) == NULL || sscanf(line, "%s", word) != 1)
        return 1;
    assert(strlen(word) <= strlen(line)); //~ may assert
    return 0;
}
