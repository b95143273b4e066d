//@ engines: overlay, explicit; verdict: safe
#include <stdlib.h>

struct entry {
    int key;
    int (*value)(void);
};

static int low(void) { return 1; }
static int high(void) { return 2; }

static int by_key(const void *left, const void *right)
{
    const struct entry *a = left, *b = right;
    return (a->key > b->key) - (a->key < b->key);
}

int main(void)
{
    struct entry entries[2] = {{2, high}, {1, low}};
    qsort(entries, 2, sizeof entries[0], by_key);
    return entries[0].value() != 1;
}
