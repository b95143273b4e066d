//@ engines: auto; verdict: safe
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *words[] = { "one", "two", "seventeen hundred and two" };
int main(void) {
    const char *text = words[rand() % 3];
    const char *item;
    int tries = 0;
    again:
    tries++;
    if (tries < 2)
        goto again;
    item = text;
    size_t length = strlen(item);
    char *copy = malloc(length + 1);
    if (!copy)
        return 1;
    memcpy(copy, item, length);
    copy[length] = '\0';
    puts(copy);
    free(copy);
    return 0;
}
