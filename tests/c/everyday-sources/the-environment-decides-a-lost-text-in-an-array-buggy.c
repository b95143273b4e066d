//@ engines: auto; verdict: unsafe
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char *text = getenv("NAME");
    if (!text)
        text = "nobody";
    const char *items[3] = { 0 };
    items[1] = text;
    char *first = strdup(items[1]);
    char *second = malloc(strlen(items[1]) + 3);
    if (first == NULL || second == NULL)
        return 1; //~ leak
    sprintf(second, "<%s>", first);
    puts(second);
    free(first);
    free(second);
    return 0;
}
