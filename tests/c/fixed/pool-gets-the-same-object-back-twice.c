//@ engines: explicit; verdict: safe
// A free list of recycled nodes. A node that is put back twice is freed twice when the pool shuts down.
#include <stdlib.h>

extern _Bool __VERIFIER_nondet_bool(void);

enum { LIMIT = 4 };

struct node {
    int value;
};

struct pool {
    struct node *spare[LIMIT];
    int spares;
};

static struct node *take(struct pool *pool)
{
    if (pool->spares > 0)
        return pool->spare[--pool->spares];
    return malloc(sizeof(struct node));
}

static void give_back(struct pool *pool, struct node *node)
{
    if (pool->spares < LIMIT)
        pool->spare[pool->spares++] = node;
    else
        free(node);
}

static void shut_down(struct pool *pool)
{
    while (pool->spares > 0)
        free(pool->spare[--pool->spares]);
}

static int work(struct pool *pool)
{
    struct node *node = take(pool);
    if (!node)
        return -1;
    node->value = 1;
    if (__VERIFIER_nondet_bool()) {
        give_back(pool, node);
        return 0;
    }
    give_back(pool, node);
    return 0;
}

int main(void)
{
    struct pool pool = { .spares = 0 };
    if (work(&pool) == 0)
        work(&pool);
    shut_down(&pool);
    return 0;
}
