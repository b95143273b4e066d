//@ engines: explicit; verdict: unsafe
// A table of buckets must start empty.
#include <stdlib.h>

enum { BUCKETS = 2 };

struct entry {
    int key;
    struct entry *chain;
};

struct set {
    struct entry **buckets;
};

static int set_open(struct set *set)
{
    set->buckets = malloc(BUCKETS * sizeof *set->buckets);
    return set->buckets ? 0 : -1;
}

static _Bool set_has(const struct set *set, int key)
{
    const struct entry *entry = set->buckets[key % BUCKETS];
    while (entry && entry->key != key) //~ uninitialised
        entry = entry->chain;
    return entry != NULL;
}

static void set_add(struct set *set, int key)
{
    if (set_has(set, key))
        return;
    struct entry *entry = malloc(sizeof *entry);
    if (!entry)
        return;
    entry->key = key;
    entry->chain = set->buckets[key % BUCKETS];
    set->buckets[key % BUCKETS] = entry;
}

static void set_close(struct set *set)
{
    for (int i = 0; i < BUCKETS; i++) {
        while (set->buckets[i]) {
            struct entry *next = set->buckets[i]->chain;
            free(set->buckets[i]);
            set->buckets[i] = next;
        }
    }
    free(set->buckets);
}

int main(void)
{
    struct set set;
    if (set_open(&set))
        return 1;
    for (int key = 0; key < 3; key++)
        set_add(&set, key);
    set_close(&set);
    return 0;
}
