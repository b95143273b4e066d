//@ engines: explicit; verdict: clean
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    size_t capacity = 0;
    char *line = NULL;
    FILE *names = fopen("names", "r");
    if (names == NULL)
        return 1;
    while (getdelim(&line, &capacity, ':', names) > 0)
        puts(line);
    free(line);
    fclose(names);
    return 0;
}
