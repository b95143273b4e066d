//@ engines: explicit; verdict: clean
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    char *line = NULL;
    size_t capacity = 0;
    ssize_t length = getline(&line, &capacity, stdin);
    if (length > 0) {
        line[length - 1] = 'x';
        if (line[length] != 0)
            free(&length);
    }
    free(line);
    return 0;
}
