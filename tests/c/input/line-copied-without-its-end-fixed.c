//@ engines: explicit; verdict: safe
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char line[6];
    if (fgets(line, sizeof line, stdin) == NULL || line[0] == 0)
        return 0;
    char *copy = malloc(strlen(line) + 1);
    if (copy == NULL)
        return 1;
    strcpy(copy, line);
    free(copy);
    return 0;
}
