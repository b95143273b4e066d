//@ engines: explicit; verdict: safe
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int *p = malloc(sizeof *p);
    if (p == NULL)
        return 0;
    free(p);
    errno = 0;
    FILE *file = fopen("data.txt", "r");
    if (file != NULL) {
        fclose(file);
        return 0;
    }
    if (errno == 0)
        free(p);
    return 0;
}
