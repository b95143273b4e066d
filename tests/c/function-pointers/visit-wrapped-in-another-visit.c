//@ engines: graph, tvl; verdict: safe
// A visit with its context is wrapped in another visit, which is handed down two calls as a context.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct cell {
    int value;
    struct cell *next;
};
struct visit {
    void (*call)(struct cell *, void *);
    void *context;
};

static void count_and_call(struct cell *cell, void *context)
{
    const struct visit *inner = context;
    int value = cell->value;
    inner->call(cell, inner->context);
    if (value > 0)
        return;
}

static void dispose(struct cell *cell, void *context)
{
    int *disposed = context;
    *disposed = 1;
    free(cell);
}

static void each(struct cell *list, void (*call)(struct cell *, void *), void *context)
{
    while (list) {
        struct cell *next = list->next;
        call(list, context);
        list = next;
    }
}

static void each_counted(struct cell *list, struct visit visit)
{
    each(list, count_and_call, &visit);
}

int main(void)
{
    struct cell *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct cell *cell = malloc(sizeof *cell);
        if (!cell)
            break;
        cell->value = __VERIFIER_nondet_int();
        cell->next = list;
        list = cell;
    }
    int disposed = 0;
    struct visit visit = {dispose, &disposed};
    each_counted(list, visit);
    return disposed > 1;
}
