//@ engines: auto; verdict: safe
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    char *line = NULL;
    size_t size = 0;
    int lines = 0;
    while (getline(&line, &size, stdin) != -1)
        lines++;
    printf("%d lines\n", lines);
    free(line);
    return 0;
}
