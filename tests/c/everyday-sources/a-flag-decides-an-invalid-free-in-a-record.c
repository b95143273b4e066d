//@ engines: auto; verdict: safe
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int is_on(void) {
    return 1;
}

struct box {
    int id;
    char *x;
};

int main(void) {
    int n;
    if (is_on())
        n = 12;
    else
        n = 3;
    struct box box;
    box.id = 1;
    box.x = malloc(6);
    if (!box.x)
        return 1;
    strcpy(box.x, "ab cd");
    char *walk = box.x;
    while (*walk && *walk != ' ')
        walk++;
    if (n > 0)
        puts(walk);
    free(box.x);
    return 0;
}
