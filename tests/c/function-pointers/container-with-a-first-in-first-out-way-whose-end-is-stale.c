//@ engines: tvl; verdict: unsafe
// The queue does not forget its end when it becomes empty.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct cell {
    struct cell *next;
};
struct container;
struct operations {
    void (*put)(struct container *, struct cell *);
    struct cell *(*get)(struct container *);
};
struct container {
    const struct operations *operations;
    struct cell *first;
    struct cell *last;
};

static void stack_put(struct container *container, struct cell *cell)
{
    cell->next = container->first;
    container->first = cell;
}

static struct cell *stack_get(struct container *container)
{
    struct cell *cell = container->first;
    if (cell)
        container->first = cell->next;
    return cell;
}

static void queue_put(struct container *container, struct cell *cell)
{
    cell->next = NULL;
    if (container->last)
        container->last->next = cell;
    //~^ use-after-free
    else
        container->first = cell;
    container->last = cell;
}

static struct cell *queue_get(struct container *container)
{
    struct cell *cell = container->first;
    if (!cell)
        return NULL;
    container->first = cell->next;
    return cell;
}

static const struct operations stack = {stack_put, stack_get};
static const struct operations queue = {queue_put, queue_get};

int main(void)
{
    struct container *container = calloc(1, sizeof *container);
    if (!container)
        return 0;
    container->operations = __VERIFIER_nondet_int() ? &stack : &queue;
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int()) {
            struct cell *cell = malloc(sizeof *cell);
            if (cell)
                container->operations->put(container, cell);
        } else {
            free(container->operations->get(container));
        }
    }
    for (;;) {
        struct cell *cell = container->operations->get(container);
        if (!cell)
            break;
        free(cell);
    }
    free(container);
    return 0;
}
