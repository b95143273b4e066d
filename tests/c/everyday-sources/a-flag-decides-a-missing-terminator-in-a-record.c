//@ engines: auto; verdict: safe
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int verbose = 1;
struct box {
    int id;
    const char *value;
};

static int run(struct box *box) {
    size_t length = strlen(box->value);
    char *copy = malloc(length + 1);
    if (!copy)
        return 1;
    memcpy(copy, box->value, length);
    copy[length] = '\0';
    puts(copy);
    free(copy);
    return 0;
}

int main(void) {
    const char *text = "short";
    if (verbose)
        text = "a text that is rather long";
    struct box box = { 1, text };
    return run(&box);
}
