//@ engines: overlay, explicit; verdict: unsafe
#include <stdlib.h>
#include <string.h>

struct command {
    const char *name;
    int value;
};

static const struct command commands[] = { { "add", 1 }, { "list", 2 }, { "quit", 3 } };

static int by_name(const void *key, const void *element)
{
    return strcmp(key, ((const struct command *)element)->name);
}

int main(void)
{
    const struct command *found = bsearch(rand() % 2 ? "list" : "none", commands, 3, sizeof commands[0], by_name);
    return found->value; //~ null-deref
}
