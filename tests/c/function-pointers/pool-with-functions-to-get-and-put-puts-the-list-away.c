//@ engines: graph, tvl; verdict: unsafe
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

struct item {
    struct item *next;
};

struct pool {
    struct item *(*get)(struct pool *);
    void (*put)(struct pool *, struct item *);
    struct item *idle;
};

static struct item *get(struct pool *pool)
{
    struct item *item = pool->idle;
    if (!item)
        return malloc(sizeof *item);
    pool->idle = item->next;
    return item;
}

static void put(struct pool *pool, struct item *item)
{
    item->next = pool->idle; //~ leak
    pool->idle = item;
}

int main(void)
{
    struct pool pool = { get, put, NULL };
    struct item *used = NULL;
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int()) {
            struct item *item = pool.get(&pool);
            if (!item)
                break;
            item->next = used;
            used = item;
        } else if (used) {
            struct item *item = used;
            pool.put(&pool, item);
            used = item->next;
        }
    }
    while (used) {
        struct item *item = used;
        used = item->next;
        pool.put(&pool, item);
    }
    while (pool.idle)
        free(pool.get(&pool));
    return 0;
}
