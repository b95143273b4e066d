//@ engines: auto; verdict: safe
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

static int process(const char **items) {
    char where[12];
    snprintf(where, sizeof where, "/%s", items[2]);
    puts(where);
    return 0;
}

int main(void) {
    const char *text = rand() % 2 ? "a text that is rather long" : "short";
    const char *items[4];
    for (int k = 0; k < 4; k++)
        items[k] = 0;
    items[2] = text;
    return process(items);
}
