//@ engines: graph, tvl; verdict: unsafe
// Only the hook before is asked for.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct cell {
    struct cell *next;
};
struct hooks {
    void (*before)(struct cell *);
    void (*after)(struct cell *);
};

static void mark(struct cell *cell)
{
    if (cell)
        cell->next = cell->next;
}

static struct cell *take(struct cell *list, const struct hooks *hooks)
{
    if (hooks->before)
        hooks->before(list);
    if (list) {
        struct cell *next = list->next;
        free(list);
        list = next;
    }
    if (hooks->before)
        hooks->after(list); //~ null-deref
    return list;
}

int main(void)
{
    struct hooks hooks = {NULL, NULL};
    if (__VERIFIER_nondet_int())
        hooks.before = mark;
    if (__VERIFIER_nondet_int())
        hooks.after = mark;
    struct cell *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct cell *cell = malloc(sizeof *cell);
        if (!cell)
            break;
        cell->next = list;
        list = cell;
    }
    while (list)
        list = take(list, &hooks);
    return 0;
}
