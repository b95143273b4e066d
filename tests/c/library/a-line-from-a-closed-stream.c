//@ engines: explicit; verdict: unsafe
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    size_t capacity = 0;
    char *line = NULL;
    FILE *names = fopen("names", "r");
    if (names == NULL)
        return 1;
    fclose(names);
    if (getline(&line, &capacity, names) > 0) //~ use-after-free
        puts(line);
    free(line);
    return 0;
}
