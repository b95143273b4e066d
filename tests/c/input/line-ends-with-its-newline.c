//@ engines: explicit; verdict: safe
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char line[5];
    if (fgets(line, sizeof line, stdin) == NULL)
        return 0;
    int *p = malloc(sizeof *p);
    if (p == NULL)
        return 0;
    free(p);
    if (strlen(line) > 4)
        free(p);
    char *newline = strchr(line, '\n');
    if (newline != NULL && newline[1] != '\0')
        free(p);
    return 0;
}
