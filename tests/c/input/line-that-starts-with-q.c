//@ engines: explicit; verdict: unsafe
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
    if (line[0] == 'q')
        free(p);
    int result = *p; //~ use-after-free
    if (line[0] != 'q')
        free(p);
    return result;
}
