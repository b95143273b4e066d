//@ engines: explicit, overlay; verdict: unsafe
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    size_t capacity = 0;
    char *line = NULL;
    FILE *names = fopen("names", "r");
    while (getline(&line, &capacity, names) > 0) //~ null-deref
        puts(line);
    free(line);
    fclose(names);
    return 0;
}
