//@ engines: explicit; verdict: unsafe
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    char *text;
    asprintf(&text, "%d", 42);
    free(text); //~ uninitialised
    return 0;
}
