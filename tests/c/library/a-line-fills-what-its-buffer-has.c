//@ engines: overlay; verdict: safe
//@ engines: explicit; verdict: clean
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    size_t capacity = 100;
    char *line = malloc(100);
    if (line == NULL)
        return 1;
    while (getline(&line, &capacity, stdin) > 0)
        puts(line);
    free(line);
    return 0;
}
