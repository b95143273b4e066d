//@ engines: explicit; verdict: safe
// Nodes carved out of one allocation can only be freed together.
#include <stdlib.h>

enum { COUNT = 3 };

struct node {
    struct node *next;
    int value;
};

struct pool {
    struct node *slots;
    struct node *available;
};

static int pool_open(struct pool *pool)
{
    pool->slots = calloc(COUNT, sizeof *pool->slots);
    if (!pool->slots)
        return -1;
    for (int i = 0; i + 1 < COUNT; i++)
        pool->slots[i].next = &pool->slots[i + 1];
    pool->available = pool->slots;
    return 0;
}

static struct node *pool_take(struct pool *pool)
{
    struct node *node = pool->available;
    if (node)
        pool->available = node->next;
    return node;
}

int main(void)
{
    struct pool pool;
    if (pool_open(&pool))
        return 1;
    struct node *first = pool_take(&pool);
    struct node *second = pool_take(&pool);
    first->value = 1;
    second->value = 2;
    free(pool.slots);
    return 0;
}
