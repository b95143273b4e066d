//@ engines: explicit; verdict: clean
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    size_t size;
    char *line = NULL;
    ssize_t length = getline(&line, &size, stdin);
    free(line);
    return length < 0;
}
