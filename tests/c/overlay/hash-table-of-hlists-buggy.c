//@ engines: overlay; verdict: unsafe
// Buckets of an hlist in a heap object.

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

#define SIZE 64

struct node {
    int key;
    struct node *next;
    struct node **pprev;
};

struct table {
    int n;
    struct node *buckets[SIZE];
};

static struct table *table_new(void)
{
    struct table *table = calloc(1, sizeof *table);
    return table;
}

static void table_add(struct table *table, int key)
{
    struct node *node = malloc(sizeof *node);
    if (!node)
        return;
    struct node **head = &table->buckets[(unsigned)key & (SIZE - 1)];
    node->key = key;
    node->next = *head;
    if (*head)
        (*head)->pprev = &node->next;
    *head = node;
    node->pprev = head;
    table->n++;
}

static void table_remove(struct table *table, int key)
{
    struct node *node = table->buckets[(unsigned)key % (SIZE + 1)]; //~ out-of-bounds
    while (node && node->key != key)
        node = node->next;
    if (node) {
        *node->pprev = node->next;
        if (node->next)
            node->next->pprev = node->pprev;
        free(node);
        table->n--;
    }
}

int main(void)
{
    struct table *table = table_new();
    if (!table)
        return 1;
    while (__VERIFIER_nondet_int())
        table_add(table, __VERIFIER_nondet_int());
    table_remove(table, __VERIFIER_nondet_int());
    for (unsigned i = 0; i < SIZE; i++)
        while (table->buckets[i]) {
            struct node *node = table->buckets[i];
            table->buckets[i] = node->next;
            if (node->next)
                node->next->pprev = &table->buckets[i];
            free(node);
        }
    free(table);
    return 0;
}
