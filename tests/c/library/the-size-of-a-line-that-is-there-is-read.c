//@ engines: explicit; verdict: unsafe
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    size_t size;
    char *line = malloc(8);
    if (line == NULL)
        return 1;
    ssize_t length = getline(&line, &size, stdin); //~ uninitialised
    free(line);
    return length < 0;
}
