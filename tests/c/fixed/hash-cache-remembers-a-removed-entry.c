//@ engines: explicit; verdict: safe
// A hash table with a one-entry cache in front of it, which removal forgets to clear.
#include <stdlib.h>

extern _Bool __VERIFIER_nondet_bool(void);

struct entry {
    int key, hits;
    struct entry *chain;
};

struct table {
    struct entry *bucket[2];
    struct entry *recent;
};

static struct entry *find(struct table *table, int key)
{
    if (table->recent && table->recent->key == key)
        return table->recent;
    struct entry *entry = table->bucket[key & 1];
    while (entry && entry->key != key)
        entry = entry->chain;
    table->recent = entry;
    return entry;
}

static void add(struct table *table, int key)
{
    struct entry *entry = malloc(sizeof *entry);
    if (!entry)
        return;
    *entry = (struct entry){ key, 0, table->bucket[key & 1] };
    table->bucket[key & 1] = entry;
}

static void drop(struct table *table, int key)
{
    struct entry **link = &table->bucket[key & 1];
    while (*link && (*link)->key != key)
        link = &(*link)->chain;
    struct entry *entry = *link;
    if (!entry)
        return;
    *link = entry->chain;
    if (table->recent == entry)
        table->recent = NULL;
    free(entry);
}

int main(void)
{
    struct table table = { { NULL, NULL }, NULL };
    add(&table, 3);
    add(&table, 5);
    struct entry *entry = find(&table, 5);
    if (entry)
        entry->hits++;
    if (__VERIFIER_nondet_bool())
        drop(&table, 5);
    entry = find(&table, 3);
    drop(&table, 3);
    drop(&table, 5);
    return 0;
}
