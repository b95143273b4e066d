//@ engines: explicit, overlay; verdict: unsafe
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    size_t capacity = 100;
    char *line = malloc(4);
    if (line == NULL)
        return 1;
    if (getline(&line, &capacity, stdin) > 0) //~ out-of-bounds
        puts(line);
    free(line);
    return 0;
}
