//@ engines: explicit; verdict: safe
// A hash table with chains; the key that is looked up may not be in it.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

enum { BUCKETS = 4 };

struct entry {
    unsigned key;
    int value;
    struct entry *chain;
};

static struct entry *buckets[BUCKETS];

static struct entry *lookup(unsigned key)
{
    for (struct entry *entry = buckets[key % BUCKETS]; entry; entry = entry->chain)
        if (entry->key == key)
            return entry;
    return NULL;
}

static int store(unsigned key, int value)
{
    struct entry *entry = lookup(key);
    if (!entry) {
        entry = malloc(sizeof *entry);
        if (!entry)
            return -1;
        entry->key = key;
        entry->chain = buckets[key % BUCKETS];
        buckets[key % BUCKETS] = entry;
    }
    entry->value = value;
    return 0;
}

static void clear(void)
{
    for (int i = 0; i < BUCKETS; i++) {
        while (buckets[i]) {
            struct entry *next = buckets[i]->chain;
            free(buckets[i]);
            buckets[i] = next;
        }
    }
}

int main(void)
{
    unsigned key = (unsigned)__VERIFIER_nondet_int() & 7;
    if (store(1, 10) == 0 && store(5, 50) == 0 && store(2, 20) == 0) {
        struct entry *found = lookup(key);
        int value = found ? found->value : 0;
        store(3, value);
    }
    clear();
    return 0;
}
