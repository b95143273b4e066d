//@ engines: explicit; verdict: safe
// The remainder of a negative key is negative.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

enum { SIZE = 4 };

struct entry {
    int key;
    struct entry *chain;
};

static struct entry **table_new(void)
{
    return calloc(SIZE, sizeof(struct entry *));
}

static struct entry **bucket(struct entry **table, int key)
{
    return &table[(unsigned)key % SIZE];
}

static void add(struct entry **table, int key)
{
    struct entry *entry = malloc(sizeof *entry);
    if (!entry)
        return;
    entry->key = key;
    entry->chain = *bucket(table, key);
    *bucket(table, key) = entry;
}

static void table_free(struct entry **table)
{
    for (int i = 0; i < SIZE; i++) {
        while (table[i]) {
            struct entry *next = table[i]->chain;
            free(table[i]);
            table[i] = next;
        }
    }
    free(table);
}

int main(void)
{
    int key = __VERIFIER_nondet_int();
    __VERIFIER_assume(key >= -2 && key <= 2);
    struct entry **table = table_new();
    if (!table)
        return 1;
    add(table, key);
    add(table, 2 * key + 1 > 0 ? 1 : 3);
    table_free(table);
    return 0;
}
