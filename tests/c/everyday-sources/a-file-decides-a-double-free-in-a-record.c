//@ engines: auto; verdict: safe
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct box {
    int id;
    char *item;
};

static int run(struct box box, int n) {
    if (!box.item)
        return 1;
    puts(box.item);
    free(box.item);
    return 0;
}

int main(void) {
    int n;
    if (scanf("%d", &n) != 1)
        return 1;
    struct box box = { .id = 2, .item = strdup("pear") };
    return run(box, n);
}
