//@ engines: region; verdict: safe
//@ args: --property heap
// What a wrapper of malloc hands out is new: none of its fields refers to anything yet.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *xmalloc(size_t size) {
    void *made = malloc(size);
    if (!made) {
        fprintf(stderr, "out of memory");
        exit(1);
    }
    return made;
}

static void xfree(void *cell) {
    if (cell)
        free(cell);
}

struct option {
    int *key, *value;
    struct option *next;
};

static struct option *options;

static void add(int key, int value) {
    struct option *option = xmalloc(sizeof *option);
    option->key = xmalloc(sizeof *option->key);
    option->value = xmalloc(sizeof *option->value);
    *option->key = key;
    *option->value = value;
    option->next = options;
    options = option;
}

static void clear(void) {
    while (options) {
        struct option *next = options->next;
        xfree(options->key);
        xfree(options->value);
        xfree(options);
        options = next;
    }
}

int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++)
        add(i, argc);
    clear();
    return 0;
}
