//@ engines: overlay, explicit; verdict: safe
#include <stdlib.h>

struct command {
    const char *name;
    int (*run)(int);
};

static int stay(int n) { return n; }
static int jump(int n) { return n + 10; }
static const struct command commands[] = {{"jump", jump}, {"stay", stay}};

static int same(const void *key, const void *element)
{
    const char *left = key, *right = ((const struct command *)element)->name;
    while (*left && *left == *right)
        left++, right++;
    return *left - *right;
}

int main(void)
{
    const struct command *found = bsearch("stay", commands, 2, sizeof commands[0], same);
    return !found || found->run(3) != 3;
}
