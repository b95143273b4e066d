//@ engines: explicit; verdict: safe
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *text;
    int length = asprintf(&text, "%d-%s", 42, "ab");
    if (length < 0)
        return 0;
    int *p = malloc(sizeof *p);
    if (p == NULL) {
        free(text);
        return 0;
    }
    free(p);
    if (length != 5 || strcmp(text, "42-ab") != 0)
        free(p);
    free(text);
    return 0;
}
