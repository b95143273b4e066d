//@ engines: explicit; verdict: safe
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(void)
{
    char bytes[4], name[8];
    int *p = malloc(sizeof *p);
    if (p == NULL)
        return 0;
    free(p);
    if (fread(bytes, 0, 4, stdin) != 0)
        free(p);
    if (readlink("link", name, sizeof name) > 0 && name[0] == '\0')
        free(p);
    return 0;
}
