//@ engines: explicit; verdict: unsafe
//@ args: --property assert
#define _GNU_SOURCE
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    size_t size = 8;
    char *line = malloc(size);
    if (line == NULL)
        return 1;
    char *before = line;
    if (getline(&line, &size, stdin) > 0)
        assert(line != before); //~ assert
    free(line);
    return 0;
}
