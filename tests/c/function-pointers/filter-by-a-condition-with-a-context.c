//@ engines: graph, tvl; verdict: safe
// A list is filtered by a condition that is given a context; what it refuses is freed by the filter.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct cell {
    int value;
    struct cell *next;
};
struct bounds {
    int low;
    int n_seen;
};

static int is_above(struct cell *cell, void *context)
{
    struct bounds *bounds = context;
    bounds->n_seen = 1;
    return cell->value > bounds->low;
}

static int is_any(struct cell *cell, void *context)
{
    (void)cell;
    return context != NULL;
}

static struct cell *filtered(struct cell *list, int (*condition)(struct cell *, void *), void *context)
{
    struct cell *kept = NULL;
    while (list) {
        struct cell *next = list->next;
        if (condition(list, context)) {
            list->next = kept;
            kept = list;
        } else {
            free(list);
        }
        list = next;
    }
    return kept;
}

int main(void)
{
    struct cell *list = NULL;
    struct bounds bounds = {__VERIFIER_nondet_int(), 0};
    while (__VERIFIER_nondet_int()) {
        struct cell *cell = malloc(sizeof *cell);
        if (!cell)
            break;
        cell->value = __VERIFIER_nondet_int();
        cell->next = list;
        list = cell;
    }
    list = filtered(list, __VERIFIER_nondet_int() ? is_above : is_any, &bounds);
    list = filtered(list, is_any, NULL);
    return list != NULL;
}
