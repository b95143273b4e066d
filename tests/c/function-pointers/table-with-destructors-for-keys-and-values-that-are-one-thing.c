//@ engines: graph, tvl; verdict: unsafe
// Key and value are the same memory, and both are freed.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct pair {
    int *key;
    int *value;
    struct pair *next;
};
struct table {
    void (*free_key)(int *);
    void (*free_value)(int *);
    struct pair *pairs;
};

static void free_number(int *number)
{
    free(number);
    //~^ double-free
}

static void insert(struct table *table, int *key, int *value)
{
    struct pair *pair = malloc(sizeof *pair);
    if (!pair) {
        if (table->free_key)
            table->free_key(key);
        if (table->free_value)
            table->free_value(value);
        return;
    }
    pair->key = key;
    pair->value = value;
    pair->next = table->pairs;
    table->pairs = pair;
}

static void destroy(struct table *table)
{
    while (table->pairs) {
        struct pair *pair = table->pairs;
        table->pairs = pair->next;
        if (table->free_key)
            table->free_key(pair->key);
        if (table->free_value)
            table->free_value(pair->value);
        free(pair);
    }
}

int main(void)
{
    struct table table = {free_number, free_number, NULL};
    while (__VERIFIER_nondet_int()) {
        int *number = malloc(sizeof *number);
        if (!number)
            break;
        insert(&table, number, number);
    }
    destroy(&table);
    return 0;
}
