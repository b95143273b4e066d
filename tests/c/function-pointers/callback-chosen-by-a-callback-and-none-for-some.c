//@ engines: graph, tvl; verdict: unsafe
// For some cells it returns none.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct cell {
    int kind;
    struct cell *next;
};

typedef void (*action)(struct cell *);

static void free_one(struct cell *cell)
{
    free(cell);
}

static void clear_and_free(struct cell *cell)
{
    cell->next = NULL;
    free(cell);
}

static action by_kind(const struct cell *cell)
{
    if (cell->kind == 0)
        return free_one;
    if (cell->kind == 1)
        return NULL;
    return clear_and_free;
}

static action always_the_same(const struct cell *cell)
{
    (void)cell;
    return free_one;
}

static void apply(struct cell *cell, action (*choose)(const struct cell *))
{
    choose(cell)(cell);
    //~^ null-deref
}

static void apply_to_all(struct cell *list, action (*choose)(const struct cell *))
{
    while (list) {
        struct cell *next = list->next;
        apply(list, choose);
        list = next;
    }
}

int main(void)
{
    struct cell *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct cell *cell = malloc(sizeof *cell);
        if (!cell)
            break;
        cell->kind = __VERIFIER_nondet_int();
        cell->next = list;
        list = cell;
    }
    apply_to_all(list, __VERIFIER_nondet_int() ? by_kind : always_the_same);
    return 0;
}
