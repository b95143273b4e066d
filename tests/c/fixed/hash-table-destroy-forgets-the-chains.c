//@ engines: explicit; verdict: safe
// Freeing the array of buckets does not free what hangs from it.
#include <stdlib.h>

struct entry {
    unsigned key;
    struct entry *chain;
};

struct table {
    unsigned size;
    struct entry *bucket[];
};

static struct table *table_new(unsigned size)
{
    struct table *table = calloc(1, sizeof *table + size * sizeof table->bucket[0]);
    if (table)
        table->size = size;
    return table;
}

static void table_add(struct table *table, unsigned key)
{
    struct entry *entry = malloc(sizeof *entry);
    if (entry) {
        entry->key = key;
        entry->chain = table->bucket[key % table->size];
        table->bucket[key % table->size] = entry;
    }
}

static void table_free(struct table *table)
{
    for (unsigned i = 0; i < table->size; i++) {
        for (struct entry *entry = table->bucket[i], *next; entry; entry = next) {
            next = entry->chain;
            free(entry);
        }
    }
    free(table);
}

int main(void)
{
    struct table *table = table_new(3);
    if (!table)
        return 1;
    for (unsigned key = 1; key < 16; key *= 3)
        table_add(table, key);
    table_free(table);
    return 0;
}
