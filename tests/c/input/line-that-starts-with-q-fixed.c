//@ engines: explicit; verdict: safe
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    char line[16];
    int *p = calloc(1, sizeof *p);
    if (p == NULL || fgets(line, sizeof line, stdin) == NULL) {
        free(p);
        return 0;
    }
    int result = *p;
    if (line[0] == 'q')
        free(p);
    if (line[0] != 'q')
        free(p);
    return result;
}
